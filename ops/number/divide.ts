/**
 * The quotient of numbers as a decimal. Binding finds the row function, which `ops/decimal/` has.
 *
 * @module
 */

import { DataType } from "apache-arrow";
import { defineOp, overload, type StringOp } from "../string/define/define_string_op.ts";
import type { Value } from "../syntax/expr_base.ts";
import type { Ties } from "./rounding.ts";

/** Options of `divide`. */
export interface DivideOptions {
  /** The digits behind the point. Default: 6, or those of the dividend if it has more. */
  readonly scale?: number | null;
  /** Where a quotient goes that is as near to both neighbours. Default: "away". */
  readonly ties?: Ties | null;
}

/** The most digits of a decimal. */
const MOST_DIGITS = 38;

/** Divides as decimals. */
export const divide: StringOp<[other: Value, options?: DivideOptions | number | null]> = defineOp({
  name: "divide",
  group: "numbers",
  args: { other: "any", scale: "literal", ties: "literal" },
  optional: ["scale", "ties"],
  accepts: { other: "decimal or integer", scale: "i32", ties: '"away" | "even"' },
  result: "decimal",
  isStrict: () => true,
  summary: "The quotient of two decimals or integers as a decimal, rounded to this many places",
  details:
    "scale is the number of digits behind the point: 6, or as many as the dividend has, by default. " +
    'A quotient half way between two is the one away from 0, and with ties: "even" the even one. Division by ' +
    "0, and a quotient of more than 38 digits, is an error, and null with orNull(). / gives a float64.",
  differs: [
    "DuckDB: a DECIMAL / DECIMAL is a DOUBLE",
    "Polars: the scale of a quotient is the greater one of both",
  ],
  examples: [
    { input: 10, args: [4], result: "2.500000" },
    { input: -2, args: [3, { scale: 2 }], result: "-0.67" },
  ],
  choose: () => undefined,
  instead: (type) => DataType.isFloat(type) ? "/ divides floats" : undefined,
  check({ scale, ties }) {
    const isWhole = scale === undefined || Number.isInteger(Number(scale));
    if (!isWhole || Number(scale ?? 0) < 0 || Number(scale ?? 0) > MOST_DIGITS) {
      return `scale must be a whole number from 0 to ${MOST_DIGITS}`;
    }
    if (ties !== undefined && ties !== "away" && ties !== "even") return 'ties is "away" or "even"';
  },
  overloads: { none: overload({ subject: "i64", row: () => 0 }) },
});
