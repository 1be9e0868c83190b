/**
 * Cuts the rows of a join into results, each with as many rows as the limits allow, by samples of
 * the positions of their text.
 *
 * @module
 */

import type { ResultLimits } from "../../backend.ts";

/** The rows [start, stop) of a range, with the positions of their text at some of them. */
export interface SampledRows {
  readonly start: number;
  readonly stop: number;
  /** The rows between two samples; the last step may be shorter. */
  readonly step: number;
  /**
   * For each array of sizes, the positions of `start`, of every `step`-th row after it, and of
   * `stop`. Once a position is `SATURATED`, so are all that follow.
   */
  readonly positions: readonly ArrayLike<number>[];
}

/** Returns the position of a row that has a sample. */
export function positionOf(
  { start, stop, step, positions }: SampledRows,
  array: number,
  row: number,
): number {
  const known = positions[array]!;
  return known[row === stop ? known.length - 1 : (row - start) / step]!;
}

/** The rows [start, stop) of one result, or one step of rows too large for a result. */
export interface CutRange {
  readonly start: number;
  readonly stop: number;
  readonly fits: boolean;
}

/** The size of a range of rows. */
interface Cost {
  readonly bytes: number;
  /** Whether every column fits a window. */
  readonly fits: boolean;
}

/**
 * Cuts rows at samples into ranges as long as the limits allow. `costOf` has to grow with the
 * range. A range that does not fit is one step long and needs denser samples; a single row counts
 * as fitting whatever its bytes.
 */
export function* cutRows(
  { start, stop, step }: SampledRows,
  costOf: (start: number, stop: number) => Cost,
  limits: ResultLimits,
): Generator<CutRange, void, void> {
  const fits = (from: number, to: number) => {
    const cost = costOf(from, to);
    return cost.fits && to - from <= limits.rows && (cost.bytes <= limits.bytes || to - from === 1);
  };
  const sample = (index: number) => Math.min(start + index * step, stop);
  const last = Math.ceil((stop - start) / step);
  for (let from = 0; from < last;) {
    let good = from;
    let bad = last + 1;
    // Bisection is cheap, though most ranges have the maximal length or that of the previous one.
    while (bad - good > 1) {
      const middle = (good + bad) >>> 1;
      if (fits(sample(from), sample(middle))) good = middle;
      else bad = middle;
    }
    const to = Math.max(good, from + 1);
    yield { start: sample(from), stop: sample(to), fits: good > from };
    from = to;
  }
}

/** The number of samples to aim for. */
const MOST_SAMPLES = 2_048;

/** Returns the rows of a step, chosen so that whole steps add up to the most rows of a result. */
export function sampleStep(numRows: number, { rows }: ResultLimits): number {
  const most = Math.max(1, Math.min(rows, numRows));
  const wanted = Math.ceil(numRows / MOST_SAMPLES);
  return Math.max(1, Math.floor(most / Math.ceil(most / Math.max(1, wanted))));
}
