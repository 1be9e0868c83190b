/**
 * What the rewrites of a plan ask of expressions, and what they do with them.
 *
 * @module
 */

import { type Expr, type ExprBase, makeExpr } from "./expr.ts";
import { childrenOf, type ExprNode } from "./node.ts";
import { argsByName } from "./call_node.ts";

/** The expression with each column that `columns` names replaced by what it stands for. */
export function substituteColumns(expr: Expr, columns: ReadonlyMap<string, Expr>): Expr {
  return makeExpr(substitute(expr.node, columns));
}

/** Names of the columns that an expression reads. */
export function columnsOf(expr: Expr): Set<string> {
  const names = new Set<string>();
  const visit = (node: ExprNode): void => {
    if (node.node === "column") names.add(node.name);
    childrenOf(node).forEach(visit);
  };
  visit(expr.node);
  return names;
}

function substitute(node: ExprNode, columns: ReadonlyMap<string, Expr>): ExprNode {
  const walk = (child: ExprNode) => substitute(child, columns);
  switch (node.node) {
    case "column":
      return columns.get(node.name)?.node ?? node;
    case "literal":
    case "data":
      return node;
    case "call":
      return { ...node, text: walk(node.text), args: node.args.map((arg) => arg && walk(arg)) };
    case "concat":
      return { ...node, parts: node.parts.map(walk) };
    case "add":
    case "compare":
    case "and":
    case "or":
      return { ...node, left: walk(node.left), right: walk(node.right) };
    case "not":
    case "isNull":
    case "isIn":
      return { ...node, value: walk(node.value) };
    case "fillNull":
      return { ...node, value: walk(node.value), other: walk(node.other) };
    case "choose":
      return { ...node, test: walk(node.test), yes: walk(node.yes), no: walk(node.no) };
  }
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

/** Whether an expression has a strict call. */
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

/** By as much as an argument says. */
function makesTextLonger(node: ExprNode): boolean {
  return node.node === "call" && (node.op.spec.group === "pad" || node.op.spec.group === "repeat");
}
