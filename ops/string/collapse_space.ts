import type { i32, Sink, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp } from "./define_string_op.ts";
import { isWhiteSpace } from "./white_space.ts";

/**
 * The text with every run of white space made one blank, and none at both ends. White space is what
 * `strip` takes for it.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("title").collapseSpace());
 * if (text !== "title.collapseSpace()") throw new Error(text);
 * ```
 */
export const collapseSpace: StringOp<[]> = defineStringOp({
  name: "collapseSpace",
  kind: "emit",
  group: "normalise",
  summary: "The text with every run of white space made one blank, and none at both ends",
  details: "White space is what strip() takes for it.",
  differs: [
    "libcudf: normalize_spaces() takes all characters up to U+0020 for white space, and no others",
  ],
  examples: [
    { input: "  Ada \t\n Lovelace ", result: "Ada Lovelace" },
    { input: "a\u{3000}b", result: "a b" },
    { input: " \n", result: "" },
  ],
  consts: { isWhiteSpace },
  row(out: Sink, text: View, c: { isWhiteSpace(char: i32): boolean }) {
    let at = 0;
    while (at < text.size && c.isWhiteSpace(text.charAt(at))) at = text.next(at);
    // Text is copied from here on, as far as it is right already.
    let done = at;
    while (at < text.size) {
      const byte = text.byteAt(at);
      const space = at;
      at = text.next(at);
      if ((byte > 0x20 && byte < 0x80) || !c.isWhiteSpace(text.charAt(space))) continue;
      while (at < text.size && c.isWhiteSpace(text.charAt(at))) at = text.next(at);
      if (at < text.size && at - space === 1 && byte === 0x20) continue;
      out.copy(text.sub(done, space));
      if (at < text.size) out.put(0x20);
      done = at;
    }
    out.copy(text.sub(done, text.size));
  },
  written: {
    state: { isInside: 0, isApart: 0 },
    row(
      out: Sink,
      char: i32,
      s: { isInside: i32; isApart: i32 },
      c: { isWhiteSpace(char: i32): boolean },
    ) {
      if (c.isWhiteSpace(char)) {
        // Behind a word, a blank may follow.
        s.isApart = s.isInside;
      } else {
        if (s.isApart !== 0) out.put(0x20);
        s.isApart = 0;
        s.isInside = 1;
        out.put(char);
      }
    },
  },
});
