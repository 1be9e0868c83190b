/** Simpler expressions: one part of an expression replaced by what it is made of. */

import { childrenOf, type ExprNode } from "../../ops/syntax/node.ts";
import { literalNode } from "../../ops/syntax/literal.ts";
import { parseExpr } from "../../ops/expr/parse.ts";
import { printNode } from "../../ops/syntax/print.ts";

/** Expressions that are simpler than the one given, the simplest first. */
export function* smallerExprs(text: string): Generator<string> {
  const seen = new Set([text]);
  for (const node of smallerNodes(parseExpr(text).node)) {
    const smaller = printNode(node);
    if (!seen.has(smaller)) yield smaller;
    seen.add(smaller);
  }
}

function* smallerNodes(node: ExprNode): Generator<ExprNode> {
  const children = childrenOf(node);
  for (const child of children) if (child.node !== "data") yield child;
  for (const [index, child] of children.entries()) {
    for (const smaller of smallerNodes(child)) {
      const changed = withChildren(node, children.with(index, smaller));
      if (isWritten(changed)) yield changed;
    }
  }
  if (node.node === "literal" && typeof node.value === "string") {
    for (const text of smallerTexts(node.value)) yield literalNode(text);
  }
  if (node.node === "isIn") {
    for (const index of node.values.keys()) {
      yield { ...node, values: node.values.toSpliced(index, 1) };
    }
  }
  if (node.node === "concat" && node.parts.length > 1) {
    for (const index of node.parts.keys()) {
      yield { ...node, parts: node.parts.toSpliced(index, 1) };
    }
  }
  // Arguments at the end may be left out.
  if (node.node === "call" && node.args.length > 0) {
    const shorter = { ...node, args: node.args.slice(0, -1) };
    if (isWritten(shorter)) yield shorter;
  }
}

/** Whether the text of a node is an expression: an operation may refuse its arguments. */
function isWritten(node: ExprNode): boolean {
  try {
    parseExpr(printNode(node));
    return true;
  } catch {
    return false;
  }
}

/** Texts that are shorter, or of plainer characters. */
export function* smallerTexts(text: string): Generator<string> {
  const chars = [...text];
  if (chars.length > 3) {
    const middle = chars.length >> 1;
    yield chars.slice(0, middle).join("");
    yield chars.slice(middle).join("");
  }
  if (chars.length <= 80) {
    for (const index of chars.keys()) yield chars.toSpliced(index, 1).join("");
    for (const [index, char] of chars.entries()) {
      if (char > "\x7f") yield chars.with(index, char < "\u{800}" ? "é" : "b").join("");
      else if (!/[ab]/.test(char)) yield chars.with(index, "a").join("");
    }
  }
}

function withChildren(node: ExprNode, children: readonly ExprNode[]): ExprNode {
  const [first, second, third] = children as [ExprNode, ExprNode, ExprNode];
  switch (node.node) {
    case "call": {
      const rest = children.slice(1);
      const args = node.args.map((arg) => arg === undefined ? undefined : rest.shift());
      return { ...node, text: first, args };
    }
    case "concat":
      return { ...node, parts: children };
    case "compare":
    case "and":
    case "or":
      return { ...node, left: first, right: second };
    case "not":
    case "isNull":
    case "orNull":
    case "isIn":
      return { ...node, value: first };
    case "fillNull":
      return { ...node, value: first, other: second };
    case "choose":
      return { ...node, test: first, yes: second, no: third };
    default:
      return node;
  }
}
