/**
 * What the rewrites of a plan ask of expressions, and what they do with them.
 *
 * @module
 */

import { type Expr, makeExpr } from "./expr.ts";
import type { ExprBase } from "../syntax/expr_base.ts";
import { childrenOf, type ColumnNode, type ExprNode, mapChildren } from "../syntax/node.ts";
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
  const expanded = new Map<string, Expr>();
  const add = (name: string, expr: Expr) => {
    if (expanded.has(name)) throw new TypeError(`Two columns would have the name "${name}"`);
    expanded.set(name, expr);
  };
  for (const [name, expr] of columns) {
    const parts = partsOf(expr);
    if (parts === undefined) add(name, expr);
    else for (const [part, value] of parts) add(`${name}_${part}`, value);
  }
  return expanded;
}

/**
 * Whether an expression has a strict call. What can fail is not moved in front of what may leave the
 * row out, nor into another step, whose number its error would have.
 */
export function isStrictExpr({ node }: ExprBase): boolean {
  return hasNode(node, isStrictCall);
}

/** Whether an expression can fail in some row: by a strict call, or by a text that is too long. */
export function canFail({ node }: ExprBase): boolean {
  return hasNode(node, (part) => isStrictCall(part) || makesTextLonger(part));
}

function hasNode(node: ExprNode, test: (node: ExprNode) => boolean): boolean {
  return test(node) || childrenOf(node).some((child) => hasNode(child, test));
}

function isStrictCall(node: ExprNode): boolean {
  if (node.node !== "call") return false;
  return node.op.spec.isStrict?.(argsByName(node.op, node.args)) === true;
}

/** Whether a call makes text longer by as much as an argument says. */
function makesTextLonger(node: ExprNode): boolean {
  return node.node === "call" && (node.op.spec.group === "pad" || node.op.spec.group === "repeat");
}
