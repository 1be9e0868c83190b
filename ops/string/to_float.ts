import type { f64, i32, View } from "../../gpu/kernel/language/row_function.ts";
import { Float64 } from "apache-arrow";
import { defineStringOp, type StringOp } from "./define_string_op.ts";
import { floatKind } from "./float_kind.ts";
import { integerFloatBits } from "./integer_float_bits.ts";
import { STRICT, type StrictOption } from "./strict_option.ts";

/**
 * The float64 nearest to the decimal number that the text is: digits with an optional sign, point
 * and exponent, or one of the words `nan`, `inf` and `infinity` in any case. Other text is null, white
 * space included, and so is a number that is too large. Reading text runs on the host.
 *
 * Of a number: the float64 nearest to it, ties to the even one.
 *
 * With `strict` a text (or number) that would become null is a ConversionError that names its row.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("price").toFloat());
 * if (text !== "price.toFloat()") throw new Error(text);
 * ```
 */
export const toFloat: StringOp<[options?: StrictOption]> = defineStringOp({
  name: "toFloat",
  group: "convert",
  summary: "The float64 nearest to a decimal number or to an integer; null for other text",
  differs: [
    "DuckDB: try_cast also takes blanks around the number, and gives an infinity for a large one",
    "Python: float() also takes blanks and underscores, and gives an infinity for a large number",
  ],
  args: { strict: "literal" },
  accepts: { strict: "bool" },
  optional: ["strict"],
  ...STRICT,
  details: "With strict: true, what would become null is an error that names the row.",
  examples: [
    { input: "12.5e-3", result: 0.0125 },
    { input: "1e400", result: null },
    { input: "12,5", result: null },
    { input: 9007199254740993n, result: 9007199254740992 },
  ],
  choose(_args, on) {
    if (on === "text" || on === "int" || on === "float") return on;
    return on === "uint64" ? on : undefined;
  },
  overloads: {
    text: {
      kind: "measure",
      returns: "f64",
      consts: { floatKind },
      row: (text: View, c: { floatKind: typeof floatKind }): f64 | null =>
        c.floatKind(text) === 0 ? null : text.toFloat(),
    },
    int: {
      kind: "measure",
      subject: "i64",
      returns: "i64",
      gives: new Float64(),
      consts: { signed: 1 },
      row: integerFloatBits,
    },
    uint64: {
      kind: "measure",
      subject: "i64",
      returns: "i64",
      gives: new Float64(),
      consts: { signed: 0 },
      row: integerFloatBits,
    },
    float: {
      kind: "measure",
      subject: "i64",
      returns: "i64",
      gives: new Float64(),
      row: (low: i32, high: i32): [i32, i32] => [low, high],
    },
  },
});
