/**
 * The sets of characters of a regular expression: classes, word characters and case folding.
 *
 * @module
 */

import type { AST } from "@eslint-community/regexpp";
import {
  type CharSet,
  CODE_POINTS,
  complementOf,
  hasChar,
  rangesOf,
  setOfRanges,
  unionOf,
} from "./char_set.ts";

/** The flags that determine the contents of a set. */
export interface SetFlags {
  readonly ignoreCase: boolean;
  readonly dotAll: boolean;
  readonly unicode: boolean;
}

/** A node that is a class or an element of one. */
type SetNode = AST.Character | AST.CharacterSet | AST.CharacterClass;

const ASCII_WORD = setOfRanges([[0x30, 0x39], [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]]);
/** The line terminators of ECMAScript, which `.` does not match. */
export const LINE_ENDS: CharSet = setOfRanges([[0x0a, 0x0a], [0x0d, 0x0d], [0x2028, 0x2029]]);

/** The classes of flag `u`: Unicode's own (UTS 18, annex C), which differs from JavaScript's. */
const UNICODE = {
  digit: "\\p{Nd}",
  space: "\\p{White_Space}",
  word: "[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}]",
} as const;

const ASCII = {
  digit: setOfRanges([[0x30, 0x39]]),
  space: setOfRanges([[0x09, 0x0d], [0x20, 0x20]]),
  word: ASCII_WORD,
} as const;

/** Returns the code points that a node matches; under flag `i` with those that differ only by case. */
export function setOfNode(node: SetNode, flags: SetFlags): CharSet {
  const set = plainSet(node, flags);
  const folded = flags.ignoreCase ? foldedSet(set, flags.unicode) : set;
  return node.type === "CharacterClass" && node.negate ? complementOf(folded) : folded;
}

/** Returns the word characters. */
export function wordSet({ unicode }: SetFlags): CharSet {
  return unicode ? platformSet(UNICODE.word) : ASCII_WORD;
}

/** Returns the set that a node names, regardless of case; a class without its negation. */
function plainSet(node: SetNode | AST.ClassRangesCharacterClassElement, flags: SetFlags): CharSet {
  switch (node.type) {
    case "Character":
      return [node.value, node.value + 1];
    case "CharacterClassRange":
      return [node.min.value, node.max.value + 1];
    case "CharacterClass":
      return unionOf((node.elements as AST.ClassRangesCharacterClassElement[])
        .map((element) => plainSet(element, flags)));
    case "CharacterSet":
      return namedSet(node, flags);
  }
}

function namedSet(node: AST.CharacterSet, flags: SetFlags): CharSet {
  switch (node.kind) {
    case "any":
      return flags.dotAll ? complementOf([]) : complementOf(LINE_ENDS);
    case "property":
      return platformSet(node.raw);
    default: {
      const set = flags.unicode ? platformSet(UNICODE[node.kind]) : ASCII[node.kind];
      if (!node.negate) return set;
      return complementOf(flags.ignoreCase ? foldedSet(set, flags.unicode) : set);
    }
  }
}

/** Groups of code points that flag `i` makes equal. */
type Groups = readonly (readonly number[])[];

let simpleFolds: Groups | undefined;
let unicodeFolds: Groups | undefined;

/**
 * Adds to a set every code point that flag `i` makes equal to one of its own, as JavaScript does: with
 * flag `u` by Unicode's simple case folding, where `k` and the Kelvin sign are equal; without it by
 * the capital letter, where non-ASCII never equals ASCII and nothing above U+FFFF has case.
 */
export function foldedSet(set: CharSet, isUnicode: boolean): CharSet {
  const groups = isUnicode ? unicodeFolds ??= unicodeGroups() : simpleFolds ??= simpleGroups();
  const more: [number, number][] = [];
  for (const group of groups) {
    const inside = group.filter((char) => hasChar(set, char)).length;
    if (inside > 0 && inside < group.length) {
      for (const char of group) more.push([char, char]);
    }
  }
  return more.length === 0 ? set : setOfRanges([...rangesOf(set), ...more]);
}

/** Groups by ECMAScript's `Canonicalize` without flag `u`: the capital, where it is one code unit. */
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
 * Groups by case folding. Characters that fold alike share the capital of their small letter; the
 * platform's own flag `i` then decides which of those that share it are really equal.
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

const CHUNK = 0x1000;
const known = new Map<string, CharSet>();

/**
 * Returns the code points that a class such as `\p{Lu}` matches in the platform's own regular
 * expressions under flag `u`: one pass over all code points, cached. Surrogates, which UTF-8 text
 * cannot hold, are left out.
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

/** Adds the runs among the code points from `start` to before `stop`, which all have one width. */
function collect(runs: RegExp, start: number, stop: number, into: [number, number][]): void {
  const chars = String.fromCodePoint(...Array.from({ length: stop - start }, (_, i) => start + i));
  const width = start < 0x10000 ? 1 : 2;
  for (const { 0: run, index } of chars.matchAll(runs)) {
    const first = start + index / width;
    into.push([first, first + run.length / width - 1]);
  }
}
