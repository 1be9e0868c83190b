import type { i32, Sink, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type IntArg, type StringOp } from "./define_string_op.ts";

/**
 * The text `n` times; the empty text where `n` is 0 or negative. A result of more than 2^29 - 24
 * bytes in a row is an `OverflowError` before memory is asked for.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("name").repeat(3));
 * if (text !== "name.repeat(3)") throw new Error(text);
 * ```
 */
export const repeat: StringOp<[n: IntArg]> = defineStringOp({
  name: "repeat",
  kind: "emit",
  args: { n: "i32" },
  group: "repeat",
  summary: "The text n times",
  details:
    "The empty text where n is 0 or negative. More than 2^29 - 24 bytes in a row is an error, as " +
    "no JavaScript string is longer.",
  examples: [
    { input: "ab", args: [3], result: "ababab" },
    { input: "ab", args: [-1], result: "" },
  ],
  row(out: Sink, text: View, n: i32) {
    out.repeat(text, n);
  },
});
