/** Operations that pass over characters as far as a test of ranges holds, and such ranges. */

import { defineHelper } from "../../../gpu/kernel/fold/define_helper.ts";
import type { Helper, i32, View } from "../../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp } from "../../../mod.ts";
import type { SeededRandom } from "../random/seeded_random.ts";

/** A test of a character. */
export type CharTest = Helper<(char: i32) => boolean>;

/** Characters from one code point to another. */
type CharRange = readonly [low: number, high: number];

/** A test that holds in a few ranges of characters, with the bounds in its code. */
export function inRanges(ranges: readonly CharRange[]): CharTest {
  const code = ranges.map(([low, high]) =>
    low === high ? `char === ${low}` : `char >= ${low} && char <= ${high}`
  ).join(" || ");
  // Row functions are known by their source.
  const row = new Function(`return (char) => ${code}`)() as (char: i32) => boolean;
  return defineHelper({ args: ["i32"], returns: "bool", row });
}

/** Ranges of bytes in order, with gaps between them; the last may reach the end of all. */
export function randomRanges(random: SeededRandom, numRanges: number): CharRange[] {
  const bounds = [...new Set(Array.from({ length: 2 * numRanges }, () => random.below(0x101)))]
    .sort((left, right) => left - right);
  return Array.from(
    { length: bounds.length >> 1 },
    (_, index) => [bounds[2 * index]!, bounds[2 * index + 1]! - 1] as const,
  );
}

/** The text from the first to the last character for which a test holds. */
export function untilFirst(isStop: CharTest): StringOp {
  return defineStringOp({
    name: "untilFirst",
    kind: "view",
    consts: { isStop },
    row(text: View, { isStop }: { isStop: CharTest }) {
      let start = 0;
      while (start < text.size && !isStop(text.charAt(start))) start = text.next(start);
      let stop = text.size;
      while (stop > start) {
        const before = text.prev(stop);
        if (isStop(text.charAt(before))) break;
        stop = before;
      }
      return text.sub(start, stop);
    },
  });
}
