/**
 * Cuts the rows of a join into results: as many rows as the limits allow, by samples of the positions of
 * their text.
 *
 * @module
 */

import type { ResultLimits } from "../../backend.ts";

/** Rows [start, stop) of a run, with positions of their text at some of them. */
export interface SampledRows {
  readonly start: number;
  readonly stop: number;
  /** Rows from one sample to the next; the last step may be shorter. */
  readonly step: number;
  /**
   * For each array of sizes, the positions of `start`, of every `step`-th row after it, and of `stop`.
   * `SATURATED` stands for all from there on.
   */
  readonly positions: readonly ArrayLike<number>[];
}

/** The position of a row at which there is a sample. */
export function positionOf(
  { start, stop, step, positions }: SampledRows,
  array: number,
  row: number,
): number {
  const known = positions[array]!;
  return known[row === stop ? known.length - 1 : (row - start) / step]!;
}

/** Rows [start, stop) that come out together, or are too large for that. */
export interface Piece {
  readonly start: number;
  readonly stop: number;
  readonly fits: boolean;
}

/** Returns the bytes of the rows [start, stop). */
interface Cost {
  readonly bytes: number;
  /** Whether every column fits a window. */
  readonly fits: boolean;
}

/**
 * Cuts rows at samples into pieces, each as long as the limits allow; `costOf` grows with the rows. A
 * piece that does not fit is one step long, and needs samples that lie closer; a single row is a piece
 * whatever its bytes.
 */
export function* cutRows(
  { start, stop, step }: SampledRows,
  costOf: (start: number, stop: number) => Cost,
  limits: ResultLimits,
): Generator<Piece, void, void> {
  const fits = (from: number, to: number) => {
    const cost = costOf(from, to);
    return cost.fits && to - from <= limits.rows && (cost.bytes <= limits.bytes || to - from === 1);
  };
  const sample = (index: number) => Math.min(start + index * step, stop);
  const last = Math.ceil((stop - start) / step);
  for (let from = 0; from < last;) {
    let good = from;
    let bad = last + 1;
    // Most pieces are the longest or as long as the one before, but a bisection is cheap enough.
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

/** Rows of a sample, about. */
const MOST_SAMPLES = 2_048;

/** Rows of a step, so that whole steps make the most rows that a result may have. */
export function sampleStep(numRows: number, { rows }: ResultLimits): number {
  const most = Math.max(1, Math.min(rows, numRows));
  const wanted = Math.ceil(numRows / MOST_SAMPLES);
  return Math.max(1, Math.floor(most / Math.ceil(most / Math.max(1, wanted))));
}
