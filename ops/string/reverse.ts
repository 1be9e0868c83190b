import type { Sink, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp } from "./define_string_op.ts";

/**
 * The characters in reverse order. An accent that is a character of its own, and other parts of one
 * visible sign, change places too, as in Python and libcudf.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("name").reverse());
 * if (text !== "name.reverse()") throw new Error(text);
 * ```
 */
export const reverse: StringOp<[]> = defineStringOp({
  name: "reverse",
  kind: "emit",
  group: "reverse",
  summary: "The characters in reverse order",
  details:
    "Accents that are characters of their own change places too, so they come to stand on the " +
    "letter before.",
  examples: [
    { input: "naïve 🙂", result: "🙂 evïan" },
    { input: "", result: "" },
  ],
  row(out: Sink, text: View) {
    let stop = text.size;
    while (stop > 0) {
      const start = text.prev(stop);
      out.put(text.charAt(start));
      stop = start;
    }
  },
});
