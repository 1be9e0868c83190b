/**
 * Text without what stands at its ends: white space, as in Python, or a set of characters.
 *
 * @module
 */

import type { i32, Sink, View } from "../../gpu/kernel/language/row_function.ts";
import { isWhiteSpace } from "./character_kinds.ts";
import { defineStringOp, type StringOp, type TextArg } from "./define_string_op.ts";

/**
 * The text without the white space at both ends, or without the characters of `chars`, which is a
 * set. White space is what Unicode calls so, and the four separators U+001C to U+001F.
 */
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
  overloads: {
    space: {
      kind: "view",
      consts: { isWhiteSpace },
      row(text: View, c: { isWhiteSpace: typeof isWhiteSpace }): View {
        let start = 0;
        while (start < text.size && c.isWhiteSpace(text.charAt(start))) start = text.next(start);
        let stop = text.size;
        while (stop > start) {
          const before = text.prev(stop);
          if (!c.isWhiteSpace(text.charAt(before))) break;
          stop = before;
        }
        return text.sub(start, stop);
      },
    },
    set: {
      kind: "view",
      args: { chars: "string" },
      row(text: View, chars: View): View {
        let start = 0;
        while (start < text.size && chars.has(text.charAt(start))) start = text.next(start);
        let stop = text.size;
        while (stop > start) {
          const before = text.prev(stop);
          if (!chars.has(text.charAt(before))) break;
          stop = before;
        }
        return text.sub(start, stop);
      },
    },
  },
});

/**
 * The text without the white space at the start, or without the characters of `chars`, which is a
 * set. White space is what Unicode calls so, and the four separators U+001C to U+001F.
 */
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
      kind: "view",
      consts: { isWhiteSpace },
      row(text: View, c: { isWhiteSpace: typeof isWhiteSpace }): View {
        let start = 0;
        while (start < text.size && c.isWhiteSpace(text.charAt(start))) start = text.next(start);
        return text.sub(start, text.size);
      },
      written: {
        state: { inside: 0 },
        row(out: Sink, char: i32, s: { inside: i32 }) {
          if (s.inside === 0) {
            const isSpace =
              (char <= 0x20 && (char === 0x20 || (char >= 0x09 && char <= 0x0d) || char >= 0x1c)) ||
              (char >= 0x85 &&
                (char === 0x85 || char === 0xa0 || char === 0x1680 ||
                  (char >= 0x2000 && char <= 0x200a) || char === 0x2028 || char === 0x2029 ||
                  char === 0x202f || char === 0x205f || char === 0x3000));
            if (isSpace) return;
            s.inside = 1;
          }
          out.put(char);
        },
      },
    },
    set: {
      kind: "view",
      args: { chars: "string" },
      row(text: View, chars: View): View {
        let start = 0;
        while (start < text.size && chars.has(text.charAt(start))) start = text.next(start);
        return text.sub(start, text.size);
      },
      written: {
        state: { inside: 0 },
        row(out: Sink, char: i32, chars: View, s: { inside: i32 }) {
          if (s.inside === 0) {
            if (chars.has(char)) return;
            s.inside = 1;
          }
          out.put(char);
        },
      },
    },
  },
});

/**
 * The text without the white space at the end, or without the characters of `chars`, which is a
 * set. White space is what Unicode calls so, and the four separators U+001C to U+001F.
 */
export const rstrip: StringOp<[chars?: TextArg | null]> = defineStringOp({
  name: "rstrip",
  args: { chars: "string" },
  optional: ["chars"],
  group: "strip",
  summary: "The text without white space, or a set of characters, at the end",
  examples: [{ input: " a b  ", result: " a b" }, { input: "00700", args: ["0"], result: "007" }],
  choose: ({ chars }) => chars === undefined ? "space" : "set",
  overloads: {
    space: {
      kind: "view",
      consts: { isWhiteSpace },
      row(text: View, c: { isWhiteSpace: typeof isWhiteSpace }): View {
        let stop = text.size;
        while (stop > 0) {
          const before = text.prev(stop);
          if (!c.isWhiteSpace(text.charAt(before))) break;
          stop = before;
        }
        return text.sub(0, stop);
      },
    },
    set: {
      kind: "view",
      args: { chars: "string" },
      row(text: View, chars: View): View {
        let stop = text.size;
        while (stop > 0) {
          const before = text.prev(stop);
          if (!chars.has(text.charAt(before))) break;
          stop = before;
        }
        return text.sub(0, stop);
      },
    },
  },
});

/**
 * The text with every run of white space made one blank, and none at both ends. White space is what
 * `strip` takes for it.
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
