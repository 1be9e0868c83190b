/**
 * The helper that skips characters with which no match begins, where these are most characters. In
 * ASCII it decodes nothing and skips many characters at once.
 *
 * @module
 */

import { defineHelper } from "../../gpu/kernel/fold/define_helper.ts";
import type { Helper, i32, View } from "../../gpu/kernel/language/row_function.ts";
import { rangesOf, setOfRanges } from "../regex/char_set.ts";
import type { SearchProgram } from "../regex/regex_program.ts";
import type { ReadOnTables } from "./regex_read_on.ts";

/** Returns the position of the first character, at or after `from`, with which a match may begin. */
type FirstHelper = Helper<(text: View, from: i32) => i32>;

/** An empty range. */
const NONE = [1, 0] as const;
/** A letter that is frequent in most text: where matches begin with it, little can be skipped. */
const FREQUENT = 0x61;

const stay: FirstHelper = defineHelper({
  args: ["string", "i32"],
  returns: "i32",
  row: (_text, from) => from,
});

/**
 * Creates the helper for a program. A character begins no match if it leads from the initial state
 * back to it. That holds only where the text before a match does not matter.
 */
export function firstHelper(
  { next, initial, sides, ascii, ranges }: SearchProgram,
  { next: table, mask, classOf }: ReadOnTables,
): FirstHelper {
  const start = initial[1] ?? 0;
  const begins = (kind: number) => next[start + kind] !== start;
  const firsts = [...ascii.keys()].filter((char) => begins(ascii[char]!));
  const [one = NONE, two = NONE, three = NONE, ...others] = rangesOf(
    setOfRanges(firsts.map((char) => [char, char])),
  );
  if (sides.length > 0 || others.length > 0 || firsts.includes(FREQUENT)) return stay;
  const beyond = ranges.some((kind, index) => index % 2 === 1 && begins(kind))
    ? defineHelper({
      args: ["i32"],
      returns: "bool",
      consts: { table, mask, classOf, start },
      row: (char, { table, mask, classOf, start }) =>
        table.at((start + classOf(char)) & mask) !== start,
    })
    : defineHelper({ args: ["i32"], returns: "bool", row: (_char) => false });
  const mayBegin = defineHelper({
    args: ["i32"],
    returns: "bool",
    consts: {
      beyond,
      low: one[0],
      high: one[1],
      low2: two[0],
      high2: two[1],
      low3: three[0],
      high3: three[1],
    },
    row(char, { beyond, low, high, low2, high2, low3, high3 }) {
      if (char >= 0x80) return beyond(char);
      return (low <= high && char >= low && char <= high) ||
        (low2 <= high2 && char >= low2 && char <= high2) ||
        (low3 <= high3 && char >= low3 && char <= high3);
    },
  });
  return defineHelper({
    args: ["string", "i32"],
    returns: "i32",
    consts: { mayBegin },
    row(text, from, { mayBegin }) {
      // No further than the text: that cannot be seen of where a match stops.
      let at = text.advance(from, 0);
      while (at < text.size && !mayBegin(text.charAt(at))) at = text.next(at);
      return at;
    },
  });
}
