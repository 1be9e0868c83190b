/**
 * Defines the operations that pad text to a width, and repeat it.
 *
 * @module
 */

import {
  type CallArgs,
  defineStringOp,
  type IntArg,
  overload,
  type StringOp,
} from "./define/define_string_op.ts";

/** The side on which padding goes. */
export type PadSide = "left" | "right" | "both";

/** Options of `pad`. */
export interface PadOptions {
  /** The side of the padding: `left` (the default) moves the text to the right. */
  readonly side?: PadSide | null;
  /** The padding character, a blank by default. */
  readonly fill?: string | null;
}

/**
 * Pads text to `width` characters with `fill`, one character, on the given side. With `"both"`, an
 * odd amount is split as in Python's `center` and in libcudf.
 */
export const pad: StringOp<
  [width: IntArg, side?: PadSide | PadOptions | null, fill?: string | PadOptions | null]
> = defineStringOp({
  name: "pad",
  args: { width: "i32", side: "literal", fill: "literal" },
  optional: ["side", "fill"],
  group: "pad",
  summary: "The text padded to a width on the left, on the right or on both sides",
  details:
    "The side is where the padding goes, left by default. Text is never cut. With both, an odd " +
    "amount of padding has its extra character before the text if the width is odd, else after it.",
  differs: ["JavaScript: padStart() and padEnd() count UTF-16 units and take longer padding"],
  examples: [
    { input: "42", args: [5], result: "   42" },
    { input: "naïve", args: [8, { side: "right", fill: "." }], result: "naïve..." },
    { input: "ab", args: [5, "both", "*"], result: "**ab*" },
    { input: "too long", args: [5], result: "too long" },
  ],
  check: problemOf,
  choose: ({ side }) => side === undefined ? "left" : String(side),
  overloads: {
    left: overload({
      kind: "emit",
      args: { width: "i32", fill: "string" },
      defaults: { fill: " " },
      row(out, text, { width, fill }) {
        const length = text.length;
        // A difference of the two could wrap around where the width is negative.
        if (width > length) out.repeat(fill, width - length);
        out.copy(text);
      },
    }),
    right: overload({
      kind: "emit",
      args: { width: "i32", fill: "string" },
      defaults: { fill: " " },
      row(out, text, { width, fill }) {
        const length = text.length;
        out.copy(text);
        if (width > length) out.repeat(fill, width - length);
      },
    }),
    both: overload({
      kind: "emit",
      args: { width: "i32", fill: "string" },
      defaults: { fill: " " },
      row(out, text, { width, fill }) {
        const length = text.length;
        const count = width > length ? width - length : 0;
        const before = (count >> 1) + (count & width & 1);
        out.repeat(fill, before);
        out.copy(text);
        out.repeat(fill, count - before);
      },
    }),
  },
});

function problemOf({ side, fill }: CallArgs): string | undefined {
  if (side !== undefined && side !== "left" && side !== "right" && side !== "both") {
    return "the side must be left, right or both";
  }
  if (fill === undefined) return undefined;
  const isCharacter = typeof fill === "string" && [...fill].length === 1;
  return isCharacter ? undefined : "the fill must be one character";
}

/** Pads text to `width` characters with zeros, after a leading sign. */
export const zfill: StringOp<[width: IntArg]> = defineStringOp({
  name: "zfill",
  args: { width: "i32" },
  optional: [],
  group: "pad",
  summary: "The text padded with zeros to a width; a sign stays in front of them",
  details: "Text is never cut. Any text that begins with + or - has a sign, as in Python.",
  examples: [
    { input: "42", args: [5], result: "00042" },
    { input: "-42", args: [5], result: "-0042" },
    { input: "123456", args: [5], result: "123456" },
  ],
  choose: () => "row",
  overloads: {
    row: overload({
      kind: "emit",
      args: { width: "i32", zero: "string" },
      defaults: { zero: "0" },
      row(out, text, { width, zero }) {
        const first = text.byteAt(0);
        const sign = first === 0x2b || first === 0x2d ? 1 : 0;
        const length = text.length;
        out.copy(text.sub(0, sign));
        // A difference of the two could wrap around where the width is negative.
        if (width > length) out.repeat(zero, width - length);
        out.copy(text.sub(sign, text.size));
      },
    }),
  },
});

/**
 * Repeats text `n` times. More than 2^29 - 24 bytes in a row are an `OverflowError`, before any
 * memory is allocated.
 */
export const repeat: StringOp<[n: IntArg]> = defineStringOp({
  name: "repeat",
  kind: "emit",
  args: { n: "i32" },
  group: "repeat",
  summary: "The text n times",
  details:
    "The result is empty where n is 0 or negative. More than 2^29 - 24 bytes in a row is an " +
    "error, as no JavaScript string is longer.",
  examples: [
    { input: "ab", args: [3], result: "ababab" },
    { input: "ab", args: [-1], result: "" },
  ],
  row(out, text, { n }) {
    out.repeat(text, n);
  },
});
