/**
 * Sets of code points, as the boundaries at which membership changes.
 *
 * @module
 */

import { upperBound } from "../../base/search.ts";

/**
 * Ascending boundaries: the code points from the first to before the second belong to the set, those
 * from the third to before the fourth, and so on. Their number is even.
 */
export type CharSet = readonly number[];

/** The end of the code points: one more than the last. */
export const CODE_POINTS = 0x110000;

/** Returns the set of inclusive ranges, which may overlap and come in any order. */
export function setOfRanges(ranges: readonly (readonly [first: number, last: number])[]): CharSet {
  const sorted = ranges.toSorted(([a], [b]) => a - b);
  const set: number[] = [];
  for (const [first, last] of sorted) {
    const stop = set.at(-1) ?? -1;
    if (first > stop) set.push(first, last + 1);
    else if (last >= stop) set[set.length - 1] = last + 1;
  }
  return set;
}

/** Returns the union of some sets. */
export function unionOf(sets: readonly CharSet[]): CharSet {
  return sets.length === 1 ? sets[0] ?? [] : setOfRanges(sets.flatMap(rangesOf));
}

/** Returns every code point that is not in the set. */
export function complementOf(set: CharSet): CharSet {
  const inner = set[0] === 0 ? set.slice(1) : [0, ...set];
  return inner.at(-1) === CODE_POINTS ? inner.slice(0, -1) : [...inner, CODE_POINTS];
}

/** Returns the inclusive ranges of a set. */
export function rangesOf(set: CharSet): [first: number, last: number][] {
  const ranges: [number, number][] = [];
  for (let i = 0; i + 1 < set.length; i += 2) ranges.push([set[i] ?? 0, (set[i + 1] ?? 0) - 1]);
  return ranges;
}

/** Whether a code point is in the set. */
export function hasChar(set: CharSet, char: number): boolean {
  return upperBound(set, char) % 2 === 1;
}

/** The classes of characters that an automaton distinguishes. */
export interface Alphabet {
  readonly numClasses: number;
  /** The first code point of each run of one class, ascending from 0. */
  readonly starts: readonly number[];
  /** The class of each run. */
  readonly classes: readonly number[];
  /** For each class, whether its characters are in each of the sets. */
  readonly members: readonly (readonly boolean[])[];
}

/** Returns the coarsest classes such that each set is a union of classes. */
export function alphabetOf(sets: readonly CharSet[]): Alphabet {
  const changes = new Map<number, number[]>([[0, []]]);
  for (const [index, set] of sets.entries()) {
    for (const boundary of set) {
      if (boundary >= CODE_POINTS) continue;
      const at = changes.get(boundary);
      if (at === undefined) changes.set(boundary, [index]);
      else at.push(index);
    }
  }
  const inside = sets.map(() => false);
  const byMembers = new Map<string, number>();
  const members: boolean[][] = [];
  const starts: number[] = [];
  const classes: number[] = [];
  for (const start of [...changes.keys()].sort((a, b) => a - b)) {
    for (const index of changes.get(start) ?? []) inside[index] = !inside[index];
    const key = inside.map(Number).join("");
    let kind = byMembers.get(key);
    if (kind === undefined) {
      kind = members.push([...inside]) - 1;
      byMembers.set(key, kind);
    }
    if (classes.at(-1) === kind) continue;
    starts.push(start);
    classes.push(kind);
  }
  return { numClasses: members.length, starts, classes, members };
}
