/**
 * Rewrites expressions, and answers questions about them, for the rewrites of a plan.
 *
 * @module
 */

import { isHelper } from "../../gpu/kernel/language/row_function.ts";
import { checkNewNames } from "../../streams/types/distinct_names.ts";
import { get } from "../string/list.ts";
import { pad, repeat, zfill } from "../string/pad.ts";
import { type Expr, makeExpr } from "./expr.ts";
import type { ExprBase } from "../syntax/expr_base.ts";
import {
  type CallNode,
  childrenOf,
  type ColumnNode,
  type ExprNode,
  mapChildren,
  type StringOp,
} from "../syntax/node.ts";
import type { Overload } from "../syntax/overload.ts";
import { argsByName } from "../syntax/call_node.ts";

/** Replaces each column that `columns` names by its expression. */
export function substituteColumns(expr: Expr, columns: ReadonlyMap<string, Expr>): Expr {
  const substitute = (node: ExprNode): ExprNode =>
    isColumn(node, "left") ? columns.get(node.name)?.node ?? node : mapChildren(node, substitute);
  return makeExpr(substitute(expr.node));
}

/**
 * Whether an expression takes the item of a column that `columns` computes as a list of numbers, which
 * must be a column then.
 */
export function takesItems({ node }: Expr, columns: ReadonlyMap<string, Expr>): boolean {
  return hasNode(node, (node) => {
    const list = node.node === "call" && node.op === get && isColumn(node.text, "left")
      ? columns.get(node.text.name)?.node
      : undefined;
    return list !== undefined && hasNode(list, makesNumbers);
  });
}

function makesNumbers(node: ExprNode): boolean {
  if (node.node !== "call") return false;
  return Object.values(node.op.overloads).some(({ items }) => items === "i32");
}

/** The sides of a join: the stream, which has the plain names, and the build side. */
export type Side = "left" | "right";

/** Turns an expression over the columns of the build side into one over a stream of its own. */
export function asOwnStream({ node }: ExprBase): Expr {
  const own = (node: ExprNode): ExprNode =>
    isColumn(node, "right") ? { node: "column", name: node.name } : mapChildren(node, own);
  return makeExpr(own(node));
}

/** Returns the names of the columns of one side, by default the stream, that an expression reads. */
export function columnsOf({ node }: ExprBase, side: Side = "left"): Set<string> {
  const names = new Set<string>();
  const visit = (node: ExprNode): void => {
    if (isColumn(node, side)) names.add(node.name);
    childrenOf(node).forEach(visit);
  };
  visit(node);
  return names;
}

function isColumn(node: ExprNode, side: Side): node is ColumnNode {
  return node.node === "column" && (node.side ?? "left") === side;
}

/** Returns the parts of a call that returns several columns, as expressions; undefined for others. */
export function partsOf({ node }: Expr): ReadonlyMap<string, Expr> | undefined {
  const parts = node.node === "call" && node.part === undefined ? node.op.spec.parts : undefined;
  if (node.node !== "call" || parts === undefined) return undefined;
  return new Map(parts.map((part) => [part, makeExpr({ ...node, part })]));
}

/**
 * Replaces each call that returns several columns by its parts: `p` becomes `p_before`, `p_delimiter`
 * and `p_after`. Throws a TypeError if two columns would have one name.
 */
export function expandParts(columns: ReadonlyMap<string, Expr>): ReadonlyMap<string, Expr> {
  const expanded = [...columns].flatMap(([name, expr]): (readonly [string, Expr])[] => {
    const parts = partsOf(expr);
    if (parts === undefined) return [[name, expr]];
    return [...parts].map(([part, value]) => [`${name}_${part}`, value]);
  });
  checkNewNames(expanded.map(([name]) => name));
  return new Map(expanded);
}

/**
 * Whether an expression can fail in some row: by a strict call, or by text that is too long. A rewrite
 * must not evaluate such an expression in rows that it would not reach as written, such as rows that
 * a filter, a slice or a join drops. Calls of the operations `except` do not count as strict.
 */
export function canFail({ node }: ExprBase, except?: ReadonlySet<StringOp>): boolean {
  return hasStrictCall(node, except) || hasNode(node, canBeTooLong);
}

/** Whether an expression has a strict call. It stays in its step, since its error names the step. */
export function isStrictExpr({ node }: ExprBase): boolean {
  return hasStrictCall(node);
}

function hasStrictCall(node: ExprNode, except?: ReadonlySet<StringOp>): boolean {
  // Inside of `orNull()` nothing fails.
  if (node.node === "orNull") return false;
  if (isStrictCall(node) && !(node.node === "call" && except?.has(node.op))) return true;
  return childrenOf(node).some((child) => hasStrictCall(child, except));
}

function hasNode(node: ExprNode, test: (node: ExprNode) => boolean): boolean {
  return test(node) || childrenOf(node).some((child) => hasNode(child, test));
}

function isStrictCall(node: ExprNode): boolean {
  if (node.node !== "call" || node.op.spec.isStrict?.(argsByName(node.op, node.args)) !== true) {
    return false;
  }
  return !isOfNumbers(node.op) || !operandsOf(node).some(isNeverWhole);
}

/** Whether the types of the operands choose the row function of an operation. */
function isOfNumbers({ spec }: StringOp): boolean {
  return "overloads" in spec && spec.choose === undefined;
}

function operandsOf({ text, args }: CallNode): readonly ExprNode[] {
  return [text, ...args].filter((operand) => operand !== undefined);
}

/**
 * Whether a node is text or a float for any columns, so that it makes an operation on numbers one of
 * texts or of floats, which cannot fail.
 */
function isNeverWhole(node: ExprNode): boolean {
  switch (node.node) {
    case "literal":
      return typeof node.value === "string" ||
        (typeof node.value === "number" && !Number.isInteger(node.value));
    case "concat":
      return true;
    case "fillNull":
      return isNeverWhole(node.value) || isNeverWhole(node.other);
    case "choose":
      return isNeverWhole(node.yes) || isNeverWhole(node.no);
    case "call": {
      const results = Object.values(node.op.overloads);
      if (isOfNumbers(node.op) && operandsOf(node).some(isNeverWhole)) return true;
      return results.every(({ kind, returns }) => kind !== "measure" || returns === "f64");
    }
    default:
      return false;
  }
}

/** The width up to which padding with four-byte characters fits the 2^29 - 24 bytes of a row. */
const MOST_FILLED = 2 ** 27 - 6;

/** The greatest literal first argument with which a call cannot make text too long. */
const MOST_ADDED: ReadonlyMap<StringOp, number> = new Map<StringOp, number>([
  [pad, MOST_FILLED],
  [zfill, MOST_FILLED],
  [repeat, 1],
]);

/** Whether a call repeats text, and may exceed the size of a row. */
function canBeTooLong(node: ExprNode): boolean {
  if (node.node !== "call" || !repeatsText(node.op)) return false;
  const [first] = node.args;
  const most = MOST_ADDED.get(node.op);
  return most === undefined || first?.node !== "literal" || Number(first.value) > most;
}

/** Whether a row function of an operation, or one of its helpers, may call `out.repeat()`. */
function repeatsText({ overloads }: StringOp): boolean {
  return Object.values(overloads).some(({ row, written, consts }) =>
    [row, written?.row, ...helpersOf(consts)].some((code) => /\brepeat\b/.test(String(code)))
  );
}

function helpersOf(consts: Overload["consts"] = {}): readonly unknown[] {
  if (typeof consts === "function") return [];
  return Object.values(consts).flatMap((value) =>
    isHelper(value) ? [value.helper.row, ...helpersOf(value.helper.consts)] : []
  );
}
