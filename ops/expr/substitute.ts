/** @module */

import { makeExpr } from "./expr.ts";
import type { Expr } from "./expr.ts";
import { childrenOf, type ExprNode } from "./node.ts";

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
