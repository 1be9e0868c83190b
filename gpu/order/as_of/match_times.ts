/**
 * Which row of sorted times each time meets: the one search that all as-of joins are made of.
 *
 * @module
 */

import { isNearerAfter, isWithin, type Tolerance } from "./distance.ts";
import type { SearchRange, Times } from "./times.ts";

/** Where the row that a time meets lies. */
export type AsOfDirection = "backward" | "forward" | "nearest";

/** What an as-of join looks for. */
export interface AsOfRule {
  readonly direction: AsOfDirection;
  /** Null where every distance will do. */
  readonly tolerance: Tolerance | null;
}

/** The rows among which one is looked for. */
export interface BuildRange extends SearchRange {
  /** The first row; those in front of `next` are still met by `backward` and `nearest`. */
  readonly first: number;
  /** Whether no row will come behind the last one. */
  readonly isWhole: boolean;
}

/**
 * Writes the row of the range that each sorted time of [start, stop) of `probe` meets into
 * `matches`, or -1:
 *
 * - `backward`: the last row that is not after it;
 * - `forward`: the first row that is not before it;
 * - `nearest`: the last row of the time that is nearest, of two as far the earlier.
 *
 * Ends at the first time whose answer rests on rows behind the range, which is never the case if
 * that is whole. Gives its place, or `stop`. `range.next` is then the first row that comes after that
 * time (for `forward`: that does not come before it).
 */
export function matchTimes(
  rule: AsOfRule,
  probe: Times,
  start: number,
  stop: number,
  build: Times,
  range: BuildRange,
  matches: Int32Array,
): number {
  const found = rule.direction === "forward"
    ? build.lowerBounds(probe, start, stop, range, matches)
    : build.upperBounds(probe, start, stop, range, matches);
  let ready = found;
  if (range.isWhole) {
    // All that are left come after the last row.
    matches.fill(range.stop, found, stop);
    ready = stop;
  }
  const { tolerance } = rule;
  switch (rule.direction) {
    case "backward":
      for (let row = start; row < ready; row++) {
        const at = matches[row]! - 1;
        const meets = at >= range.first &&
          (tolerance === null || isWithin(probe, row, build, at, tolerance));
        matches[row] = meets ? at : -1;
      }
      return ready;
    case "forward":
      for (let row = start; row < ready; row++) {
        const at = matches[row]!;
        const meets = at < range.stop &&
          (tolerance === null || isWithin(build, at, probe, row, tolerance));
        matches[row] = meets ? at : -1;
      }
      return ready;
    case "nearest":
      return matchNearest(tolerance, probe, start, ready, build, range, matches);
  }
}

/** Turns the first row after each time into the nearest one. */
function matchNearest(
  tolerance: Tolerance | null,
  probe: Times,
  start: number,
  stop: number,
  build: Times,
  range: BuildRange,
  matches: Int32Array,
): number {
  for (let row = start; row < stop; row++) {
    const after = matches[row]!;
    const before = after - 1;
    const hasBefore = before >= range.first;
    const hasAfter = after < range.stop;
    if (hasBefore && !(hasAfter && isNearerAfter(probe, row, build, before, after))) {
      const meets = tolerance === null || isWithin(probe, row, build, before, tolerance);
      matches[row] = meets ? before : -1;
    } else if (
      !hasAfter || (tolerance !== null && !isWithin(build, after, probe, row, tolerance))
    ) {
      matches[row] = -1;
    } else {
      const end = build.endOfEqual(after, range.stop);
      if (end === range.stop && !range.isWhole) {
        range.next = after;
        return row;
      }
      matches[row] = end - 1;
    }
  }
  return stop;
}
