import type { View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp } from "./define_string_op.ts";
import { floatKind } from "./float_kind.ts";

/**
 * Whether the text is a number that a float64 holds: exactly where `toFloat` is not null.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("price").isFloat());
 * if (text !== "price.isFloat()") throw new Error(text);
 * ```
 */
export const isFloat: StringOp<[]> = defineStringOp({
  name: "isFloat",
  group: "convert",
  summary: "Whether the text is a decimal number that toFloat reads",
  differs: ["libcudf: is_float() also takes what overflows"],
  examples: [
    { input: "-.5e3", result: true },
    { input: "inf", result: true },
    { input: "1e400", result: false },
    { input: "0x1p3", result: false },
  ],
  kind: "measure",
  returns: "bool",
  consts: { floatKind },
  row: (text: View, c: { floatKind: typeof floatKind }): boolean => c.floatKind(text) !== 0,
});
