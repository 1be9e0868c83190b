/**
 * The literals that a user writes in an expression, and their nodes.
 *
 * @module
 */

/** A literal in an expression. */
export type Literal = string | number | bigint | boolean | null;

/** A regular expression as data: its source and its flags. */
export interface RegexData {
  /** The source between the slashes. */
  readonly regex: string;
  /** The flags after the second slash. */
  readonly flags: string;
}

/** The value of a literal argument: a single value, a list, named values or a pattern. */
export type LiteralData =
  | Literal
  | RegexData
  | readonly LiteralData[]
  | { readonly [name: string]: LiteralData };

/** A list, named values or a pattern; only an argument of an operation. */
export interface DataNode {
  /** The kind of the node. */
  readonly node: "data";
  /** The value as it was written. */
  readonly value: LiteralData;
}

/** A literal. */
export interface LiteralNode {
  /** The kind of the node. */
  readonly node: "literal";
  /** The value as it was written. */
  readonly value: Literal;
  /** A number as it was written, where it has digits that the value lacks; a decimal has them all. */
  readonly written?: string;
}

/** Returns a literal node. Throws a TypeError for a lone surrogate, which has no UTF-8. */
export function literalNode(value: Literal): LiteralNode {
  if (typeof value === "string" && !value.isWellFormed()) {
    throw new TypeError("Text with a lone surrogate cannot be written as UTF-8");
  }
  return Object.freeze({ node: "literal", value });
}

/** Returns a literal node for a number that was written with more digits than its value has. */
export function writtenNode(value: number, written: string): LiteralNode {
  return Object.freeze({ node: "literal", value, written });
}

/** Returns a node for a list, named values or a pattern. Throws a TypeError for other values. */
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
