/**
 * Defines the operation `wrap`, which breaks text into lines.
 *
 * @module
 */

import { defineStringOp, type IntArg, type StringOp } from "./define/define_string_op.ts";

/**
 * Breaks text into lines of at most `width` characters, at blanks (U+0020) only. Where the width of
 * a row is not positive, the text is broken at every blank.
 */
export const wrap: StringOp<[width: IntArg]> = defineStringOp({
  name: "wrap",
  kind: "emit",
  args: { width: "i32" },
  group: "wrap",
  summary: "The text in lines of at most width characters, broken at blanks only",
  details:
    "The last blank that keeps a line within the width becomes a line break; a longer word is a " +
    "longer line. Existing line breaks stay.",
  differs: [
    "libcudf: turns tabs and line breaks into blanks first, and its lines after the first are one " +
    "character shorter",
    "Python: textwrap.wrap() also breaks long words, and drops and joins blanks",
  ],
  examples: [
    { input: "the quick brown fox", args: [10], result: "the quick\nbrown fox" },
    { input: "extraordinary fox", args: [5], result: "extraordinary\nfox" },
  ],
  check: ({ width }) => Number(width) < 1 ? "the width must be at least 1" : undefined,
  row(out, text, { width }) {
    let done = 0;
    let column = 0;
    // The last blank of the line: its place, where there is one, and its column.
    let blank = -1;
    let blankColumn = 0;
    for (let at = 0; at < text.size; at = text.next(at)) {
      const char = text.byteAt(at);
      if (char === 0x0a) {
        column = 0;
        blank = -1;
        continue;
      }
      if (char === 0x20) {
        blank = at;
        blankColumn = column;
      }
      column++;
      if (column > width && blank >= 0) {
        out.copy(text.sub(done, blank));
        out.put(0x0a);
        done = blank + 1;
        column -= blankColumn + 1;
        blank = -1;
      }
    }
    out.copy(text.sub(done, text.size));
  },
});
