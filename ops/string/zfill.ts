import type { i32, Sink, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type IntArg, type StringOp } from "./define_string_op.ts";

/**
 * The text with zeros in front of it up to `width` characters; a `+` or `-` that it begins with
 * stays in front of the zeros. What is as long already stays as it is.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("id").zfill(8));
 * if (text !== "id.zfill(8)") throw new Error(text);
 * ```
 */
export const zfill: StringOp<[width: IntArg]> = defineStringOp({
  name: "zfill",
  args: { width: "i32" },
  optional: [],
  group: "pad",
  summary: "The text with zeros in front up to a width; a sign stays in front of them",
  details: "Text is never cut. Any text that begins with + or - has a sign, as in Python.",
  examples: [
    { input: "42", args: [5], result: "00042" },
    { input: "-42", args: [5], result: "-0042" },
    { input: "123456", args: [5], result: "123456" },
  ],
  choose: () => "row",
  overloads: {
    row: {
      kind: "emit",
      args: { width: "i32", zero: "string" },
      defaults: { zero: "0" },
      row(out: Sink, text: View, width: i32, zero: View) {
        const first = text.byteAt(0);
        const sign = first === 0x2b || first === 0x2d ? 1 : 0;
        const length = text.length;
        out.copy(text.sub(0, sign));
        // A difference of the two could wrap around where the width is negative.
        if (width > length) out.repeat(zero, width - length);
        out.copy(text.sub(sign, text.size));
      },
    },
  },
});
