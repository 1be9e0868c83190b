/**
 * The expression tree as a user wrote it: plain frozen data, without types. `bind.ts` gives it
 * types against a schema.
 *
 * @module
 */

import type { CompareOp } from "../../gpu/kernel/tree.ts";
import type { StringOp } from "../define_string_op.ts";

/** A value that is written in an expression. */
export type Literal = string | number | bigint | boolean | null;

/** A literal. */
export interface LiteralNode {
  /** Tells the kind of node. */
  readonly node: "literal";
  /** The value as it was written. */
  readonly value: Literal;
}

/** A call of a string operation. */
export interface CallNode {
  /** Tells the kind of node. */
  readonly node: "call";
  /** The operation that is called. */
  readonly op: StringOp;
  /** What it works on. */
  readonly text: ExprNode;
  /** The arguments in order; one that was left out is undefined. */
  readonly args: readonly (ExprNode | undefined)[];
}

/** A node of an expression. */
export type ExprNode =
  | { readonly node: "column"; readonly name: string }
  | LiteralNode
  | CallNode
  | { readonly node: "concat"; readonly parts: readonly ExprNode[] }
  | { readonly node: "add"; readonly left: ExprNode; readonly right: ExprNode }
  | {
    readonly node: "compare";
    readonly op: CompareOp;
    readonly left: ExprNode;
    readonly right: ExprNode;
  }
  | { readonly node: "and" | "or"; readonly left: ExprNode; readonly right: ExprNode }
  | { readonly node: "not" | "isNull"; readonly value: ExprNode }
  | { readonly node: "fillNull"; readonly value: ExprNode; readonly other: ExprNode }
  | {
    readonly node: "choose";
    readonly test: ExprNode;
    readonly yes: ExprNode;
    readonly no: ExprNode;
  };

/** A literal node; text must be well-formed, since a lone surrogate has no UTF-8. */
export function literalNode(value: Literal): LiteralNode {
  if (typeof value === "string" && !value.isWellFormed()) {
    throw new TypeError("Text with a lone surrogate cannot be written as UTF-8");
  }
  return Object.freeze({ node: "literal", value });
}

/** The nodes directly below a node, left to right. */
export function childrenOf(node: ExprNode): readonly ExprNode[] {
  switch (node.node) {
    case "column":
    case "literal":
      return [];
    case "call":
      return [node.text, ...node.args.filter((arg) => arg !== undefined)];
    case "concat":
      return node.parts;
    case "add":
    case "compare":
    case "and":
    case "or":
      return [node.left, node.right];
    case "not":
    case "isNull":
      return [node.value];
    case "fillNull":
      return [node.value, node.other];
    case "choose":
      return [node.test, node.yes, node.no];
  }
}
