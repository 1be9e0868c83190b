import { type CharSet, CODE_POINTS, setOfRanges } from "./char_set.ts";

const CHUNK = 0x1000;
const known = new Map<string, CharSet>();

/**
 * The code points that a class of the platform's own regular expressions matches under flag `u`,
 * such as `\p{Lu}`: one pass over all code points, then remembered. Surrogates, which UTF-8 text
 * cannot hold, are left out.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { platformSet } from "./platform_set.ts";
 *
 * assertEquals(platformSet("[a-c]"), [0x61, 0x64]);
 * ```
 */
export function platformSet(classSource: string): CharSet {
  let set = known.get(classSource);
  if (set === undefined) {
    set = walk(new RegExp(`${classSource}+`, "gu"));
    known.set(classSource, set);
  }
  return set;
}

function walk(runs: RegExp): CharSet {
  const ranges: [number, number][] = [];
  for (let start = 0; start < CODE_POINTS; start += CHUNK) {
    if (start >= 0xd000 && start < 0xe000) {
      if (start === 0xd000) collect(runs, 0xd000, 0xd800, ranges);
    } else {
      collect(runs, start, start + CHUNK, ranges);
    }
  }
  return setOfRanges(ranges);
}

/** Adds the runs among the code points from `start` to before `stop`, all of one width. */
function collect(runs: RegExp, start: number, stop: number, into: [number, number][]): void {
  const chars = String.fromCodePoint(...Array.from({ length: stop - start }, (_, i) => start + i));
  const width = start < 0x10000 ? 1 : 2;
  for (const { 0: run, index } of chars.matchAll(runs)) {
    const first = start + index / width;
    into.push([first, first + run.length / width - 1]);
  }
}
