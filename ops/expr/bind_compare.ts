/**
 * Comparisons. An integer column beside a number that its type does not hold is compared exactly:
 * `delay > 60.5` is `delay > 60`, and a column of 8 bits is always less than 1000.
 *
 * @module
 */

import { Bool } from "apache-arrow";
import type { CompareOp, Tree } from "../../gpu/kernel/tree/tree.ts";
import { columnTypeOf, typeName } from "../batch/arrow_types.ts";
import { commonType, holds } from "./common_type.ts";
import type { ExprNode } from "./node.ts";
import { failAt } from "./place.ts";
import { printNode } from "./print.ts";
import { classOf, literalTree, nullTree, type Typed } from "./typed.ts";

const BOOL = { kind: "bool" } as const;

/** The operator with its sides exchanged. */
const FLIPPED: Readonly<Record<CompareOp, CompareOp>> = {
  "==": "==",
  "!=": "!=",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};

/** Binds a comparison. Throws where the sides have no type in common. */
export function bindCompare(
  node: ExprNode & { node: "compare" },
  left: Typed,
  right: Typed,
): Typed {
  refuseNull(node, left, right);
  refuseNull(node, right, left);
  return {
    node,
    tree: exactTree(node.op, left, right) ?? exactTree(FLIPPED[node.op], right, left) ??
      commonTree(node, left, right),
    type: new Bool(),
    nullable: left.nullable || right.nullable,
  };
}

function refuseNull(node: ExprNode, side: Typed, other: Typed): void {
  if (side.literal !== null) return;
  const hint = `${printNode(other.node, Infinity)}.isNull()`;
  failAt(node, `A comparison with null is never true; use ${hint}`);
}

function commonTree(node: ExprNode & { node: "compare" }, left: Typed, right: Typed): Tree {
  const common = commonType(left, right);
  if (common !== undefined && classOf(common.type) !== "other") {
    return { node: "compare", op: node.op, left: common.left, right: common.right, type: BOOL };
  }
  return failAt(node, `Cannot compare ${described(left)} with ${described(right)}`);
}

/** `delay (int64)`; the value of a literal tells its type. */
function described({ node, type, literal }: Typed): string {
  return literal === undefined ? `${printNode(node)} (${typeName(type)})` : printNode(node);
}

/** An integer compared with a number that its type does not hold; undefined for anything else. */
function exactTree(op: CompareOp, side: Typed, { literal }: Typed): Tree | undefined {
  if (typeof literal !== "number" && typeof literal !== "bigint") return undefined;
  if (side.literal !== undefined || classOf(side.type) !== "int") return undefined;
  if (holds(side.type, literal)) return undefined;
  const floor = typeof literal === "number" ? Math.floor(literal) : literal;
  if (!Number.isFinite(Number(floor)) || !holds(side.type, floor)) {
    // NaN counts as greater than every number.
    const isAbove = Number.isNaN(floor) || floor > 0;
    return sameForAll(side, op === "!=" || (isAbove ? op.startsWith("<") : op.startsWith(">")));
  }
  if (op === "==" || op === "!=") return sameForAll(side, op === "!=");
  // The literal lies between two integers, floor and the next.
  const type = columnTypeOf(side.type);
  return {
    node: "compare",
    op: op.startsWith("<") ? "<=" : ">",
    left: side.tree,
    right: literalTree(floor, type),
    type: BOOL,
  };
}

/** One answer for every row that is not null. */
export function sameForAll(side: Typed, answer: boolean): Tree {
  const value = literalTree(answer, BOOL);
  if (!side.nullable) return value;
  return {
    node: "choose",
    test: { node: "isNull", value: side.tree, type: BOOL },
    yes: nullTree(new Bool()),
    no: value,
    type: BOOL,
  };
}
