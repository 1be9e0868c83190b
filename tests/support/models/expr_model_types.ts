/**
 * What the models of expressions have in common: values, errors, and how much is worth computing.
 */

import type { DataType } from "apache-arrow";
import type { Literal } from "../../../ops/syntax/literal.ts";

/** An expression over a table. */
export interface ExprModel {
  /** The plain type; null for a literal null, which takes any. */
  readonly type: DataType | null;
  /** The literal, where it is one. */
  readonly literal?: Literal;
  at(row: number): unknown;
}

/** A column of a table. */
export interface ModelColumn {
  readonly name: string;
  /** The plain type. */
  readonly type: DataType;
  readonly values: readonly unknown[];
}

/** The expression is refused. */
export class ModelTypeError extends Error {}

/** The expression fails in a row. */
export class ModelRowError extends Error {
  constructor(
    readonly error: "ArithmeticError" | "ConversionError" | "OverflowError",
    readonly row: number,
  ) {
    super(`${error} in row ${row}`);
  }
}

/** Bytes of text that one row may have. */
export const MOST_BYTES = 2 ** 29 - 24;
/** Characters that it may have here, so that a case stays small. */
export const MOST_CHARS = 20_000;

/** The case asks for more than is worth computing. */
export class TooLarge extends Error {}

/** The text, where it is not too long. */
export function checkedText(text: string): string {
  if (text.length > MOST_CHARS) throw new TooLarge("text");
  return text;
}

/** An expression that has no type. */
export function refuse(what: string): never {
  throw new ModelTypeError(what);
}
