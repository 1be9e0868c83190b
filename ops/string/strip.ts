/**
 * Defines the operations that strip text at its ends, of white space by default, and collapse blanks.
 *
 * @module
 */

import { isWhiteSpace } from "./character_kinds.ts";
import {
  type CallArgs,
  defineStringOp,
  type Overload,
  overload,
  type StringOp,
  type TextArg,
} from "./define/define_string_op.ts";

/** Strips white space or a set of characters from the end, and where `atStart` is 1 from the start. */
function stripping(atStart: number): { space: Overload; set: Overload } {
  return {
    space: overload({
      kind: "view",
      consts: { isWhiteSpace, atStart },
      row(text, { isWhiteSpace, atStart }) {
        let start = 0;
        if (atStart === 1) {
          while (start < text.size && isWhiteSpace(text.charAt(start))) start = text.next(start);
        }
        let stop = text.size;
        while (stop > start) {
          const before = text.prev(stop);
          if (!isWhiteSpace(text.charAt(before))) break;
          stop = before;
        }
        return text.sub(start, stop);
      },
    }),
    set: overload({
      kind: "view",
      args: { chars: "string" },
      consts: { atStart },
      row(text, { chars, atStart }) {
        let start = 0;
        if (atStart === 1) {
          while (start < text.size && chars.has(text.charAt(start))) start = text.next(start);
        }
        let stop = text.size;
        while (stop > start) {
          const before = text.prev(stop);
          if (!chars.has(text.charAt(before))) break;
          stop = before;
        }
        return text.sub(start, stop);
      },
    }),
  };
}

/** The part of the definitions that `strip`, `lstrip` and `rstrip` share. */
const OF_CHARACTERS = {
  args: { chars: "string" },
  optional: ["chars"],
  group: "strip",
  choose: ({ chars }: CallArgs) => chars === undefined ? "space" : "set",
} as const;

/** Strips white space, or a set of characters, from both ends. */
export const strip: StringOp<[chars?: TextArg | null]> = defineStringOp({
  name: "strip",
  ...OF_CHARACTERS,
  summary: "The text without white space, or a set of characters, at both ends",
  differs: [
    "DuckDB: trim() takes blanks only",
    "JavaScript: trim() takes U+FEFF too, and neither U+0085 nor U+001C to U+001F",
    "Polars: U+001C to U+001F stay",
  ],
  examples: [{ input: "  a b\t", result: "a b" }, { input: "--a-b-", args: ["-"], result: "a-b" }],
  overloads: stripping(1),
});

/** Strips white space, or a set of characters, from the start. */
export const lstrip: StringOp<[chars?: TextArg | null]> = defineStringOp({
  name: "lstrip",
  ...OF_CHARACTERS,
  summary: "The text without white space, or a set of characters, at the start",
  examples: [{ input: "  a b ", result: "a b " }, { input: "00700", args: ["0"], result: "700" }],
  overloads: {
    space: overload({
      kind: "view",
      consts: { isWhiteSpace },
      row(text, { isWhiteSpace }) {
        let start = 0;
        while (start < text.size && isWhiteSpace(text.charAt(start))) start = text.next(start);
        return text.sub(start, text.size);
      },
      written: {
        state: { isInside: 0 },
        row(out, char, { isWhiteSpace, state }) {
          if (state.isInside === 0 && isWhiteSpace(char)) return;
          state.isInside = 1;
          out.put(char);
        },
      },
    }),
    set: overload({
      kind: "view",
      args: { chars: "string" },
      row(text, { chars }) {
        let start = 0;
        while (start < text.size && chars.has(text.charAt(start))) start = text.next(start);
        return text.sub(start, text.size);
      },
      written: {
        state: { isInside: 0 },
        row(out, char, { chars, state }) {
          if (state.isInside === 0 && chars.has(char)) return;
          state.isInside = 1;
          out.put(char);
        },
      },
    }),
  },
});

/** Strips white space, or a set of characters, from the end. */
export const rstrip: StringOp<[chars?: TextArg | null]> = defineStringOp({
  name: "rstrip",
  ...OF_CHARACTERS,
  summary: "The text without white space, or a set of characters, at the end",
  examples: [{ input: " a b  ", result: " a b" }, { input: "00700", args: ["0"], result: "007" }],
  overloads: stripping(0),
});

/** Replaces each run of white space by one blank, and removes it at both ends. */
export const collapseSpace: StringOp<[]> = defineStringOp({
  name: "collapseSpace",
  kind: "emit",
  group: "normalise",
  summary: "The text with every run of white space replaced by one blank, and none at the ends",
  details: "White space is as in strip().",
  differs: [
    "libcudf: normalize_spaces() treats exactly the characters up to U+0020 as white space",
  ],
  examples: [
    { input: "  Ada \t\n Lovelace ", result: "Ada Lovelace" },
    { input: "a\u{3000}b", result: "a b" },
    { input: " \n", result: "" },
  ],
  consts: { isWhiteSpace },
  row(out, text, { isWhiteSpace }) {
    let at = 0;
    while (at < text.size && isWhiteSpace(text.charAt(at))) at = text.next(at);
    // Text is copied from here on, as far as it is right already.
    let done = at;
    while (at < text.size) {
      const byte = text.byteAt(at);
      const space = at;
      at = text.next(at);
      if ((byte > 0x20 && byte < 0x80) || !isWhiteSpace(text.charAt(space))) continue;
      while (at < text.size && isWhiteSpace(text.charAt(at))) at = text.next(at);
      if (at < text.size && at - space === 1 && byte === 0x20) continue;
      out.copy(text.sub(done, space));
      if (at < text.size) out.put(0x20);
      done = at;
    }
    out.copy(text.sub(done, text.size));
  },
  written: {
    state: { isInside: 0, isApart: 0 },
    row(out, char, { isWhiteSpace, state }) {
      if (isWhiteSpace(char)) {
        // Behind a word, a blank may follow.
        state.isApart = state.isInside;
      } else {
        if (state.isApart !== 0) out.put(0x20);
        state.isApart = 0;
        state.isInside = 1;
        out.put(char);
      }
    },
  },
});
