/**
 * The match of each time among sorted times: the one search of all as-of joins.
 *
 * @module
 */

import { isNearerAfter, isWithin, type Tolerance } from "./distance.ts";
import type { SearchRange, Times } from "./times.ts";

/** The direction in which a time looks for its match. */
export type AsOfDirection = "backward" | "forward" | "nearest";

/** The rule by which an as-of join matches times. */
export interface AsOfRule {
  readonly direction: AsOfDirection;
  /** Null for any distance. */
  readonly tolerance: Tolerance | null;
}

/** The rows of the build side that are searched. */
export interface BuildRange extends SearchRange {
  /** The first row; `backward` and `nearest` also match rows before `next`. */
  readonly first: number;
  /** Whether the last row is the last one of the build side. */
  readonly isWhole: boolean;
}

/**
 * Writes the match of each sorted time of [start, stop) of `probe` in the range to `matches`, or -1:
 *
 * - `backward`: the last row that is not later;
 * - `forward`: the first row that is not earlier;
 * - `nearest`: the last row of the nearest time, or of the earlier if two are as near.
 *
 * Ends at the first time whose match depends on rows after the range, unless the range is whole. Returns
 * the place of that time, or `stop`. `range.next` is then the first row that is later than that time
 * (for `forward`: not earlier).
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
    // The other times are later than the last row.
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

/** Replaces the first row after each time by the nearest one. */
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
