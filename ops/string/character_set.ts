/**
 * Sets of characters as they are written: `a-z0-9_`.
 *
 * @module
 */

interface Range {
  /** The first code point. */
  readonly first: number;
  /** The last one. */
  readonly last: number;
}

/**
 * Where the characters of a set begin and end, in turn: code points in ascending order, of which the
 * even ones are in the set and the odd ones are not any more.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { characterSet } from "./character_set.ts";
 *
 * assertEquals(characterSet("b-da"), [0x61, 0x65]);
 * ```
 */
export function characterSet(set: string): number[] {
  const bounds: number[] = [];
  for (const { first, last } of rangesOf(set).sort((a, b) => a.first - b.first)) {
    const end = bounds.at(-1) ?? -1;
    if (first > end) bounds.push(first, last + 1);
    else bounds[bounds.length - 1] = Math.max(end, last + 1);
  }
  return bounds;
}

/** What is wrong with a set; undefined for one that is right. */
export function problemOfSet(set: unknown): string | undefined {
  if (typeof set !== "string") return 'the set must be text, such as "a-z0-9"';
  const wrong = rangesOf(set).find(({ first, last }) => last < first);
  if (wrong === undefined) return undefined;
  const [from, to] = [wrong.first, wrong.last].map((code) => String.fromCodePoint(code));
  return `the range ${from}-${to} ends before it starts`;
}

function rangesOf(set: string): Range[] {
  const codes = Array.from(set, (char) => char.codePointAt(0) ?? 0);
  const ranges: Range[] = [];
  for (let i = 0; i < codes.length; i++) {
    const first = codes[i]!;
    const isRange = codes[i + 1] === 0x2d && i + 2 < codes.length;
    ranges.push({ first, last: isRange ? codes[i + 2]! : first });
    if (isRange) i += 2;
  }
  return ranges;
}
