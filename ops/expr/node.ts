/**
 * The expression tree as a user wrote it: plain frozen data, without types. `bind.ts` gives it
 * types against a schema.
 *
 * @module
 */

import type { CompareOp } from "../../gpu/kernel/tree/tree.ts";
import type { StringOp } from "../string/define_string_op.ts";

/** A value that is written in an expression. */
export type Literal = string | number | bigint | boolean | null;

/** A regular expression as data: its source and its flags. */
export interface RegexData {
  /** The source between the slashes. */
  readonly regex: string;
  /** The flags after the second slash. */
  readonly flags: string;
}

/** What a literal argument may hold besides a single value: lists, named values, patterns. */
export type LiteralData =
  | Literal
  | RegexData
  | readonly LiteralData[]
  | { readonly [name: string]: LiteralData };

/** A list, named values or a pattern; only an argument of an operation. */
export interface DataNode {
  /** Tells the kind of node. */
  readonly node: "data";
  /** The value as it was written. */
  readonly value: LiteralData;
}

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
  /** Which of the columns that the operation gives; only where it gives several. */
  readonly part?: string;
}

/** A node of an expression. */
export type ExprNode =
  | { readonly node: "column"; readonly name: string }
  | LiteralNode
  | DataNode
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
  | { readonly node: "isIn"; readonly value: ExprNode; readonly values: readonly Literal[] }
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

/** A literal that is not a single value. Throws a TypeError for what is no data. */
export function dataNode(value: LiteralData): DataNode {
  return Object.freeze({ node: "data", value: frozenData(value) });
}

/** Whether data is a regular expression. */
export function isRegexData(value: unknown): value is RegexData {
  return typeof value === "object" && value !== null && "regex" in value && "flags" in value;
}

function frozenData(value: LiteralData): LiteralData {
  if (Array.isArray(value)) return Object.freeze(value.map(frozenData));
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(([name, item]) => [name, frozenData(item)]);
    return Object.freeze(Object.fromEntries(entries));
  }
  if (value === undefined || typeof value === "function" || typeof value === "symbol") {
    throw new TypeError(`A ${typeof value} cannot be written in an expression`);
  }
  return literalNode(value).value;
}

/** The fields that hold the nodes below a node, or lists of them, from left to right. */
const CHILDREN: Readonly<Record<ExprNode["node"], readonly string[]>> = {
  column: [],
  literal: [],
  data: [],
  call: ["text", "args"],
  concat: ["parts"],
  add: ["left", "right"],
  compare: ["left", "right"],
  and: ["left", "right"],
  or: ["left", "right"],
  not: ["value"],
  isNull: ["value"],
  isIn: ["value"],
  fillNull: ["value", "other"],
  choose: ["test", "yes", "no"],
};

type Child = ExprNode | undefined | readonly (ExprNode | undefined)[];

function fieldsOf(node: ExprNode): (readonly [name: string, child: Child])[] {
  const fields = node as unknown as Readonly<Record<string, Child>>;
  return CHILDREN[node.node].map((name) => [name, fields[name]]);
}

/** The nodes directly below a node, left to right. */
export function childrenOf(node: ExprNode): readonly ExprNode[] {
  return fieldsOf(node).flatMap(([, child]) => child).filter((child) => child !== undefined);
}

/** The same node over what `map` makes of the nodes directly below it. */
export function mapChildren(node: ExprNode, map: (child: ExprNode) => ExprNode): ExprNode {
  const fields = fieldsOf(node).map(([name, child]) => [
    name,
    child && ("node" in child ? map(child) : child.map((item) => item && map(item))),
  ]);
  return fields.length === 0 ? node : { ...node, ...Object.fromEntries(fields) };
}

/** How many operations may stand inside of each other; half of the usual stack is enough for them. */
export const MAX_DEPTH = 500;

const depths = new WeakMap<ExprNode, number>();

/**
 * How many nodes there are from a node to the one that is farthest below it, both counted. Each node
 * is measured once, so a tree is measured while it is built.
 */
export function depthOf(node: ExprNode): number {
  let depth = depths.get(node);
  if (depth === undefined) {
    depth = 1;
    for (const child of childrenOf(node)) depth = Math.max(depth, 1 + depthOf(child));
    depths.set(node, depth);
  }
  return depth;
}

/** An expression that nests too deep to be walked through. */
export class DepthError extends RangeError {
  constructor() {
    super(
      `An expression has at most ${MAX_DEPTH} operations, and fewer parentheses, inside of each ` +
        "other; concat() and isIn() take any number of values, and one step may follow another",
    );
  }
}

/**
 * Throws a DepthError for an expression that nests too deep: JavaScript engines have stacks for a few
 * thousand calls, and so have the compilers of kernels.
 */
export function checkDepth(node: ExprNode): void {
  if (depthOf(node) > MAX_DEPTH) throw new DepthError();
}
