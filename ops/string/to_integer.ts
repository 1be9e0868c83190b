import type { i32 } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp } from "./define_string_op.ts";
import { parseInteger } from "./parse_integer.ts";
import { truncateFloat } from "./truncate_float.ts";
import { STRICT, type StrictOption } from "./strict_option.ts";

/**
 * The integer of 64 bits that the text is: decimal digits behind an optional sign. Text with
 * anything else in it, white space included, is null, and so is a number that does not fit.
 *
 * Of a number: an integer stays what it is, the fraction of a float is cut off. NaN, infinities and
 * what does not fit are null.
 *
 * With `strict` a text (or number) that would become null is a ConversionError that names its row.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("age").toInteger());
 * if (text !== "age.toInteger()") throw new Error(text);
 * ```
 */
export const toInteger: StringOp<[options?: StrictOption]> = defineStringOp({
  name: "toInteger",
  group: "convert",
  summary: "The 64-bit integer that a text is, or a float without its fraction; null for others",
  differs: [
    "DuckDB: try_cast also takes blanks around the digits, a fraction that it rounds, and an exponent",
    "Python: int() also takes blanks, underscores and the digits of other scripts",
  ],
  args: { strict: "literal" },
  accepts: { strict: "bool" },
  optional: ["strict"],
  ...STRICT,
  details: "With strict: true, what would become null is an error that names the row.",
  examples: [
    { input: "-42", result: -42n },
    { input: "9223372036854775808", result: null },
    { input: "4.0", result: null },
    { input: -4.9, result: -4n },
  ],
  choose(_args, on) {
    if (on === "text" || on === "int" || on === "float") return on;
    return on === "uint64" ? on : undefined;
  },
  overloads: {
    text: { kind: "measure", returns: "i64", row: parseInteger },
    int: {
      kind: "measure",
      subject: "i64",
      returns: "i64",
      row: (low: i32, high: i32): [i32, i32] => [low, high],
    },
    uint64: {
      kind: "measure",
      subject: "i64",
      returns: "i64",
      row: (low: i32, high: i32): [i32, i32] | null => high < 0 ? null : [low, high],
    },
    float: { kind: "measure", subject: "i64", returns: "i64", row: truncateFloat },
  },
});
