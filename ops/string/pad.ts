import type { i32, Sink, View } from "../../gpu/kernel/language/row_function.ts";
import { type CallArgs, defineStringOp, type IntArg, type StringOp } from "./define_string_op.ts";

/** Where the filling goes. */
export type PadSide = "left" | "right" | "both";

/** Options of `pad`. */
export interface PadOptions {
  /** Where the filling goes: `left` (the default) moves the text to the right. */
  readonly side?: PadSide | null;
  /** The character that it is made of, a blank by default. */
  readonly fill?: string | null;
}

/**
 * The text filled up to `width` characters: in front of it (`side: "left"`, the default), behind it
 * (`"right"`) or on both sides. It is never cut. `fill` is one character, and a blank by default.
 * Where the two sides of `"both"` differ by one, an odd width has more in front, an even one behind,
 * as in Python's `center` and in libcudf.
 *
 * Raises a RangeError where the filling is not one character or the side is another.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("id").pad(8, { side: "right", fill: "." }));
 * if (text !== 'id.pad(8, "right", ".")') throw new Error(text);
 * ```
 */
export const pad: StringOp<
  [width: IntArg, side?: PadSide | PadOptions | null, fill?: string | PadOptions | null]
> = defineStringOp({
  name: "pad",
  args: { width: "i32", side: "literal", fill: "literal" },
  optional: ["side", "fill"],
  group: "pad",
  summary: "The text filled up to a width on the left, on the right or on both sides",
  details:
    "The side is where the filling goes, left by default. Text is never cut. With both, an odd " +
    "width has more in front of the text and an even one more behind it.",
  differs: ["JavaScript: padStart() and padEnd() count UTF-16 units and take a longer filling"],
  examples: [
    { input: "42", args: [5], result: "   42" },
    { input: "naïve", args: [8, { side: "right", fill: "." }], result: "naïve..." },
    { input: "ab", args: [5, "both", "*"], result: "**ab*" },
    { input: "too long", args: [5], result: "too long" },
  ],
  check: problemOf,
  choose: ({ side }) => side === undefined ? "left" : String(side),
  overloads: {
    left: {
      kind: "emit",
      args: { width: "i32", fill: "string" },
      defaults: { fill: " " },
      row(out: Sink, text: View, width: i32, fill: View) {
        const length = text.length;
        // A difference of the two could wrap around where the width is negative.
        if (width > length) out.repeat(fill, width - length);
        out.copy(text);
      },
    },
    right: {
      kind: "emit",
      args: { width: "i32", fill: "string" },
      defaults: { fill: " " },
      row(out: Sink, text: View, width: i32, fill: View) {
        const length = text.length;
        out.copy(text);
        if (width > length) out.repeat(fill, width - length);
      },
    },
    both: {
      kind: "emit",
      args: { width: "i32", fill: "string" },
      defaults: { fill: " " },
      row(out: Sink, text: View, width: i32, fill: View) {
        const length = text.length;
        const count = width > length ? width - length : 0;
        const before = (count >> 1) + (count & width & 1);
        out.repeat(fill, before);
        out.copy(text);
        out.repeat(fill, count - before);
      },
    },
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
