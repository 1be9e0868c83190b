import type { i32, Sink } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp } from "./define_string_op.ts";

/**
 * The text with every byte but letters, digits and `_.-~` of ASCII as `%` and two hexadecimal digits,
 * as Python's `quote(text, safe="")` writes it.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("query").urlEncode());
 * if (text !== "query.urlEncode()") throw new Error(text);
 * ```
 */
export const urlEncode: StringOp<[]> = defineStringOp({
  name: "urlEncode",
  group: "convert",
  summary: "The text with what a URL cannot hold as percent and two digits for each byte",
  examples: [
    { input: "a b/c", result: "a%20b%2Fc" },
    { input: "é~", result: "%C3%A9~" },
  ],
  kind: "map",
  row(out: Sink, char: i32) {
    const letter = char | 0x20;
    const isPlain = (letter >= 0x61 && letter <= 0x7a) || (char >= 0x30 && char <= 0x39) ||
      char === 0x5f || char === 0x2e || char === 0x2d || char === 0x7e;
    if (isPlain) return out.put(char);
    // The bytes of the character, the first of which tells their number.
    let lead = char;
    let rest = 0;
    if (char >= 0x80) {
      rest = char < 0x800 ? 1 : char < 0x10000 ? 2 : 3;
      lead = (rest === 1 ? 0xc0 : rest === 2 ? 0xe0 : 0xf0) | (char >> (6 * rest));
    }
    let byte = lead;
    for (;;) {
      out.put(0x25);
      out.put((byte >> 4) + (byte < 0xa0 ? 0x30 : 0x37));
      out.put((byte & 15) + ((byte & 15) < 10 ? 0x30 : 0x37));
      if (rest === 0) break;
      rest--;
      byte = 0x80 | ((char >> (6 * rest)) & 0x3f);
    }
  },
});
