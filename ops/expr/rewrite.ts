/**
 * The questions of the rewrites of a plan about expressions, and their changes to them.
 *
 * @module
 */

import { isHelper } from "../../gpu/kernel/language/row_function.ts";
import { checkNewNames } from "../../streams/types/distinct_names.ts";
import { pad, repeat, zfill } from "../string/pad.ts";
import { type Expr, makeExpr } from "./expr.ts";
import type { ExprBase } from "../syntax/expr_base.ts";
import {
  childrenOf,
  type ColumnNode,
  type ExprNode,
  mapChildren,
  type StringOp,
} from "../syntax/node.ts";
import type { Overload } from "../syntax/overload.ts";
import { argsByName } from "../syntax/call_node.ts";

/** The expression with each column that `columns` names replaced by what it stands for. */
export function substituteColumns(expr: Expr, columns: ReadonlyMap<string, Expr>): Expr {
  const substitute = (node: ExprNode): ExprNode =>
    isColumn(node, "left") ? columns.get(node.name)?.node ?? node : mapChildren(node, substitute);
  return makeExpr(substitute(expr.node));
}

/** The sides of a join: the stream, to which a plain name belongs, and the build side. */
export type Side = "left" | "right";

/** An expression over the columns of the build side alone, as one over a stream of its own. */
export function asOwnStream({ node }: ExprBase): Expr {
  const own = (node: ExprNode): ExprNode =>
    isColumn(node, "right") ? { node: "column", name: node.name } : mapChildren(node, own);
  return makeExpr(own(node));
}

/** Names of the columns of one side that an expression reads: those of the stream by default. */
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

/** The parts of a call that gives several, each as an expression; undefined for any other. */
export function partsOf({ node }: Expr): ReadonlyMap<string, Expr> | undefined {
  const parts = node.node === "call" && node.part === undefined ? node.op.spec.parts : undefined;
  if (node.node !== "call" || parts === undefined) return undefined;
  return new Map(parts.map((part) => [part, makeExpr({ ...node, part })]));
}

/**
 * The columns with each call that gives several replaced by its parts: `p` becomes `p_before`,
 * `p_delimiter` and `p_after`. Throws a TypeError where two columns would have one name.
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
 * Whether an expression can fail in some row: by a strict call, or by a text that is too long. No
 * rewrite asks such an expression of rows that it would not meet as it was written, behind a filter,
 * a slice or a join.
 */
export function canFail({ node }: ExprBase): boolean {
  return hasNode(node, (part) => isStrictCall(part) || canBeTooLong(part));
}

/** Whether an expression has a strict call. It stays in its step, whose number its error has. */
export function isStrictExpr({ node }: ExprBase): boolean {
  return hasNode(node, isStrictCall);
}

function hasNode(node: ExprNode, test: (node: ExprNode) => boolean): boolean {
  return test(node) || childrenOf(node).some((child) => hasNode(child, test));
}

function isStrictCall(node: ExprNode): boolean {
  if (node.node !== "call") return false;
  return node.op.spec.isStrict?.(argsByName(node.op, node.args)) === true;
}

/** Characters of four bytes up to which text can be filled: a row has room for 2^29 - 24 bytes. */
const MOST_FILLED = 2 ** 27 - 6;

/** The literal first argument up to which a call cannot make text too long. */
const MOST_ADDED: ReadonlyMap<StringOp, number> = new Map<StringOp, number>([
  [pad, MOST_FILLED],
  [zfill, MOST_FILLED],
  [repeat, 1],
]);

/** Whether a call repeats text, and not so little that there is room for it in any row. */
function canBeTooLong(node: ExprNode): boolean {
  if (node.node !== "call" || !repeatsText(node.op)) return false;
  const [first] = node.args;
  const most = MOST_ADDED.get(node.op);
  return most === undefined || first?.node !== "literal" || Number(first.value) > most;
}

/** Whether a row function of an operation, or a helper of it, may call `out.repeat()`. */
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
