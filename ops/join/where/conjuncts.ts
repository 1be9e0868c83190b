/**
 * Splits the condition of a join into parts, by their use.
 *
 * @module
 */

import type { CompareOp } from "../../../gpu/kernel/tree/tree.ts";
import { FLIPPED } from "../../expr/bind_compare.ts";
import { type Expr, makeExpr } from "../../expr/expr.ts";
import { canFail, columnsOf } from "../../expr/rewrite.ts";
import { add, mul, neg, sub } from "../../number/arithmetic.ts";
import { placeOf, setPlace } from "../../syntax/node_place.ts";
import type { ExprNode, StringOp } from "../../syntax/node.ts";

/** A part of a condition. Two rows are a pair if all parts are true. */
export type Conjunct =
  /** Reads columns of one side only; a part without columns counts as left. */
  | { readonly kind: "left" | "right"; readonly expr: Expr }
  /** Compares a value of the stream with one of the build side, in this order. */
  | {
    readonly kind: "equal" | "bound";
    readonly op: CompareOp;
    readonly left: Expr;
    readonly right: Expr;
    readonly expr: Expr;
  }
  /** Any other part that reads both sides, and any part that can fail, which only pairs evaluate. */
  | { readonly kind: "both"; readonly expr: Expr };

/**
 * Returns the parts of a condition. If a negated part has an opposite that is true, false and null for the
 * same rows, the opposite replaces it: `!(a < b)` becomes `a >= b`, and `!(a || b)` becomes `!a` and `!b`.
 */
export function conjunctsOf(condition: Expr): Conjunct[] {
  return partsOf(condition.node).map(conjunctOf);
}

function partsOf(node: ExprNode): ExprNode[] {
  if (node.node === "and") return [...partsOf(node.left), ...partsOf(node.right)];
  const opposite = node.node === "not" ? oppositeOf(node.value) : undefined;
  if (opposite === undefined) return [node];
  return opposite.flatMap((part) => partsOf(placedAs(part, node)));
}

/** Returns the parts that are true where a condition is false; undefined without a form other than `!`. */
function oppositeOf(node: ExprNode): ExprNode[] | undefined {
  switch (node.node) {
    case "not":
      return [node.value];
    case "or":
      return [node.left, node.right].map((value) => placedAs({ node: "not", value }, value));
    case "compare":
      return [{ ...node, op: NEGATED[node.op] }];
    default:
      return undefined;
  }
}

const NEGATED: Readonly<Record<CompareOp, CompareOp>> = {
  "==": "!=",
  "!=": "==",
  "<": ">=",
  "<=": ">",
  ">": "<=",
  ">=": "<",
};

/** Gives a node the place of another node in the text of the condition. */
function placedAs(node: ExprNode, other: ExprNode): ExprNode {
  const place = placeOf(other);
  if (place !== undefined) setPlace(node, place);
  return node;
}

/**
 * Operations that are computed for all rows of a side although they can fail, also for rows without a
 * pair: sums such as `right.time + 60` seldom fail, and a search needs them.
 */
const COMPUTED_ALWAYS: ReadonlySet<StringOp> = new Set<StringOp>([add, sub, mul, neg]);

function conjunctOf(node: ExprNode): Conjunct {
  const expr = makeExpr(node);
  if (canFail(expr, COMPUTED_ALWAYS)) return { kind: "both", expr };
  const side = sideOf(expr);
  if (side !== "both") return { kind: side, expr };
  if (node.node !== "compare" || node.op === "!=") return { kind: "both", expr };
  const [first, second] = [makeExpr(node.left), makeExpr(node.right)];
  const sides = `${sideOf(first)}, ${sideOf(second)}`;
  const kind = node.op === "==" ? "equal" : "bound";
  if (sides === "left, right") return { kind, op: node.op, left: first, right: second, expr };
  if (sides !== "right, left") return { kind: "both", expr };
  const op = FLIPPED[node.op];
  const flipped = makeExpr(placedAs({ ...node, op, left: node.right, right: node.left }, node));
  return { kind, op, left: second, right: first, expr: flipped };
}

function sideOf(expr: Expr): "left" | "right" | "both" {
  if (columnsOf(expr, "right").size === 0) return "left";
  return columnsOf(expr, "left").size === 0 ? "right" : "both";
}
