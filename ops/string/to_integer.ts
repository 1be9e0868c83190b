import { defineStringOp, type StringOp } from "../define_string_op.ts";
import { parseInteger } from "./parse_integer.ts";

/**
 * The integer of 64 bits that the text is: decimal digits behind an optional sign. Text with
 * anything else in it, white space included, is null, and so is a number that does not fit.
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
export const toInteger: StringOp<[]> = defineStringOp({
  name: "toInteger",
  summary: "The 64-bit integer that the text is; null where it is none",
  examples: [
    { input: "-42", result: -42n },
    { input: "9223372036854775808", result: null },
    { input: "4.0", result: null },
  ],
  kind: "measure",
  returns: "i64",
  row: parseInteger,
});
