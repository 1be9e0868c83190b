import { type CharSet, hasChar, rangesOf, setOfRanges } from "./char_set.ts";
import { platformSet } from "./platform_set.ts";

/** The code points of each group that flag `i` makes equal. */
type Groups = readonly (readonly number[])[];

let simple: Groups | undefined;
let unicode: Groups | undefined;

/**
 * A set with every code point that flag `i` makes equal to one of it, as JavaScript decides it:
 * with flag `u` by Unicode's simple case folding (`k` and the Kelvin sign are equal), without it by
 * the capital letter, where non-ASCII never equals ASCII and nothing above U+FFFF has case.
 */
export function foldedSet(set: CharSet, isUnicode: boolean): CharSet {
  const groups = isUnicode ? unicode ??= unicodeGroups() : simple ??= simpleGroups();
  const more: [number, number][] = [];
  for (const group of groups) {
    const inside = group.filter((char) => hasChar(set, char)).length;
    if (inside > 0 && inside < group.length) {
      for (const char of group) more.push([char, char]);
    }
  }
  return more.length === 0 ? set : setOfRanges([...rangesOf(set), ...more]);
}

/** By `Canonicalize` of ECMAScript without flag `u`: the capital, where it is one code unit. */
function simpleGroups(): Groups {
  const byCapital = new Map<number, number[]>();
  for (let char = 0; char < 0x10000; char++) {
    const capital = String.fromCharCode(char).toUpperCase();
    const code = capital.charCodeAt(0);
    const isKept = capital.length !== 1 || (char >= 0x80 && code < 0x80);
    grouped(byCapital, isKept ? char : code).push(char);
  }
  return severalOf(byCapital);
}

/**
 * Characters that fold alike have the same capital of their small letter; which of those that share
 * it are really equal, the platform's own flag `i` says.
 */
function unicodeGroups(): Groups {
  const byCapital = new Map<string, number[]>();
  for (const [first, last] of rangesOf(platformSet("[\\p{CWCM}\\p{CWCF}]"))) {
    for (let char = first; char <= last; char++) {
      const text = String.fromCodePoint(char);
      grouped(byCapital, text.toLowerCase().toUpperCase()).push(char);
    }
  }
  return severalOf(byCapital).flatMap((group) => {
    const byFirst = new Map<number, number[]>();
    for (const char of group) {
      const text = String.fromCodePoint(char);
      const isEqual = (first: number) =>
        new RegExp(`^\\u{${first.toString(16)}}$`, "iu").test(text);
      grouped(byFirst, [...byFirst.keys()].find(isEqual) ?? char).push(char);
    }
    return severalOf(byFirst);
  });
}

function grouped<Key>(groups: Map<Key, number[]>, key: Key): number[] {
  let group = groups.get(key);
  if (group === undefined) groups.set(key, group = []);
  return group;
}

function severalOf(groups: ReadonlyMap<unknown, number[]>): number[][] {
  return [...groups.values()].filter((group) => group.length > 1);
}
