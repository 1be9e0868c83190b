/**
 * Text without what stands at its ends, white space by default, and with single blanks inside.
 *
 * @module
 */

import type { i32, Sink, View } from "../../gpu/kernel/language/row_function.ts";
import { isWhiteSpace } from "./character_kinds.ts";
import { defineStringOp, type Overload, type StringOp, type TextArg } from "./define_string_op.ts";

/** The ends that are looked at: 1 for yes. */
interface Ends {
  readonly atStart: number;
  readonly atStop: number;
}

/** The overloads of an operation at these ends: for white space, and for a set of characters. */
function stripping(ends: Ends): { space: Overload; set: Overload } {
  return {
    space: {
      kind: "view",
      consts: { isWhiteSpace, ...ends },
      row(text: View, c: Ends & { isWhiteSpace: typeof isWhiteSpace }): View {
        let start = 0;
        if (c.atStart === 1) {
          while (start < text.size && c.isWhiteSpace(text.charAt(start))) start = text.next(start);
        }
        let stop = text.size;
        if (c.atStop === 1) {
          while (stop > start) {
            const before = text.prev(stop);
            if (!c.isWhiteSpace(text.charAt(before))) break;
            stop = before;
          }
        }
        return text.sub(start, stop);
      },
    },
    set: {
      kind: "view",
      args: { chars: "string" },
      consts: { ...ends },
      row(text: View, chars: View, c: Ends): View {
        let start = 0;
        if (c.atStart === 1) {
          while (start < text.size && chars.has(text.charAt(start))) start = text.next(start);
        }
        let stop = text.size;
        if (c.atStop === 1) {
          while (stop > start) {
            const before = text.prev(stop);
            if (!chars.has(text.charAt(before))) break;
            stop = before;
          }
        }
        return text.sub(start, stop);
      },
    },
  };
}

/** The text without white space, or a set of characters, at both ends. */
export const strip: StringOp<[chars?: TextArg | null]> = defineStringOp({
  name: "strip",
  args: { chars: "string" },
  optional: ["chars"],
  group: "strip",
  summary: "The text without white space, or a set of characters, at both ends",
  differs: [
    "DuckDB: trim() takes blanks only",
    "JavaScript: trim() takes U+FEFF too, and neither U+0085 nor U+001C to U+001F",
    "Polars: U+001C to U+001F stay",
  ],
  examples: [{ input: "  a b\t", result: "a b" }, { input: "--a-b-", args: ["-"], result: "a-b" }],
  choose: ({ chars }) => chars === undefined ? "space" : "set",
  overloads: stripping({ atStart: 1, atStop: 1 }),
});

const { space, set } = stripping({ atStart: 1, atStop: 0 });

/** The text without white space, or a set of characters, at the start. */
export const lstrip: StringOp<[chars?: TextArg | null]> = defineStringOp({
  name: "lstrip",
  args: { chars: "string" },
  optional: ["chars"],
  group: "strip",
  summary: "The text without white space, or a set of characters, at the start",
  examples: [{ input: "  a b ", result: "a b " }, { input: "00700", args: ["0"], result: "700" }],
  choose: ({ chars }) => chars === undefined ? "space" : "set",
  overloads: {
    space: {
      ...space,
      written: {
        state: { isInside: 0 },
        row(
          out: Sink,
          char: i32,
          s: { isInside: i32 },
          c: { isWhiteSpace: typeof isWhiteSpace },
        ) {
          if (s.isInside === 0) {
            if (c.isWhiteSpace(char)) return;
            s.isInside = 1;
          }
          out.put(char);
        },
      },
    },
    set: {
      ...set,
      written: {
        state: { isInside: 0 },
        row(out: Sink, char: i32, chars: View, s: { isInside: i32 }) {
          if (s.isInside === 0) {
            if (chars.has(char)) return;
            s.isInside = 1;
          }
          out.put(char);
        },
      },
    },
  },
});

/** The text without white space, or a set of characters, at the end. */
export const rstrip: StringOp<[chars?: TextArg | null]> = defineStringOp({
  name: "rstrip",
  args: { chars: "string" },
  optional: ["chars"],
  group: "strip",
  summary: "The text without white space, or a set of characters, at the end",
  examples: [{ input: " a b  ", result: " a b" }, { input: "00700", args: ["0"], result: "007" }],
  choose: ({ chars }) => chars === undefined ? "space" : "set",
  overloads: stripping({ atStart: 0, atStop: 1 }),
});

/** The text with each run of white space made one blank, and none at both ends. */
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
