/**
 * The pairs of rows that an index finds for a batch of probe rows, in pieces of bounded size.
 *
 * @module
 */

import type { BoundIndex, ProbeBounds } from "./bound_index.ts";

/** Pairs of rows, with as much room as their arrays have. */
export interface PairRows {
  readonly probeRows: Int32Array;
  /** -1 for a probe row without a match. */
  readonly buildRows: Int32Array;
}

/** Some pairs: by probe row, and within it by build row. */
export interface PairPiece extends PairRows {
  /** All pairs of the probe rows before this one have been given. */
  readonly numDone: number;
}

/** Memory for the pairs of a batch, which the next batch may use again. */
export interface PairSpace extends PairRows {
  /** With room for `mostFound` rows. */
  readonly found: Int32Array;
}

/** Room for pieces of `maxPairs` pairs. */
export function newPairSpace({ mostFound }: BoundIndex, maxPairs: number): PairSpace {
  return { found: new Int32Array(mostFound), ...newPairRows(maxPairs) };
}

/** Room for pairs. */
export function newPairRows(maxPairs: number): PairRows {
  return { probeRows: new Int32Array(maxPairs), buildRows: new Int32Array(maxPairs) };
}

/** The first of some pairs, in the same memory. */
export function firstPairs({ probeRows, buildRows }: PairRows, count: number): PairRows {
  return { probeRows: probeRows.subarray(0, count), buildRows: buildRows.subarray(0, count) };
}

/** Places that are compared without success, at most, before a piece ends: about a millisecond. */
const MAX_COMPARED = 1 << 20;

/**
 * The pairs in pieces that fit into the space, some of which may have none; the last one is done with
 * all rows. The matches of a row may fall into several pieces. A piece is overwritten by the next.
 */
export function* candidatePairs(
  index: BoundIndex,
  bounds: ProbeBounds,
  space: PairSpace,
): Generator<PairPiece, void, void> {
  const { found, probeRows, buildRows } = space;
  const maxPairs = probeRows.length;
  let count = 0;
  let compared = index.numCompared;
  const piece = (numDone: number): PairPiece => {
    const pairs = firstPairs(space, count);
    count = 0;
    compared = index.numCompared;
    return { ...pairs, numDone };
  };
  for (let row = 0; row < bounds.numRows; row++) {
    const numFound = index.search(bounds, row, found);
    for (let from = 0; from < numFound;) {
      const size = Math.min(numFound - from, maxPairs - count);
      copyRows(found, from, size, buildRows, count);
      probeRows.fill(row, count, count + size);
      count += size;
      from += size;
      if (count === maxPairs) yield piece(from < numFound ? row : row + 1);
    }
    if (index.numCompared - compared > MAX_COMPARED) yield piece(row + 1);
  }
  yield piece(bounds.numRows);
}

function copyRows(
  source: Int32Array,
  from: number,
  size: number,
  target: Int32Array,
  to: number,
): void {
  if (size > 32) target.set(source.subarray(from, from + size), to);
  else for (let at = 0; at < size; at++) target[to + at] = source[from + at]!;
}
