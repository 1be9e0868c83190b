import type { i32, Sink, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type IntArg, type StringOp, type TextArg } from "./define_string_op.ts";

const MAX_I32 = 0x7fffffff;

/**
 * The text with the characters from `start` to before `stop` replaced, by Python's rules for
 * slices: negative positions count from the end, and positions out of range are moved into it.
 * Where `stop` lies before `start` nothing goes away, and the replacement stands at `start`.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("card").replaceSlice("****", 0, -4));
 * if (text !== 'card.replaceSlice("****", 0, -4)') throw new Error(text);
 * ```
 */
export const replaceSlice: StringOp<
  [replacement: TextArg, start?: IntArg | null, stop?: IntArg | null]
> = defineStringOp({
  name: "replaceSlice",
  kind: "emit",
  args: { replacement: "string", start: "i32", stop: "i32" },
  defaults: { start: 0, stop: MAX_I32 },
  group: "replace",
  summary: "The text with the characters from start to before stop replaced",
  details:
    "The places are those of slice(). Where stop lies before start nothing goes away, and the " +
    "replacement stands at start.",
  examples: [
    { input: "4929 1234", args: ["****", 0, -4], result: "****1234" },
    { input: "naïve", args: ["-", 2, 2], result: "na-ïve" },
    { input: "naïve", args: ["...", 3], result: "naï..." },
  ],
  row(out: Sink, text: View, replacement: View, start: i32, stop: i32) {
    const from = text.advance(start < 0 ? text.size : 0, start);
    const to = text.advance(stop < 0 ? text.size : 0, stop);
    out.copy(text.sub(0, from));
    out.copy(replacement);
    out.copy(text.sub(to < from ? from : to, text.size));
  },
});
