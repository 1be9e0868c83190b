/**
 * The pairs of rows that an index finds for a batch of probe rows, in pieces of bounded size.
 *
 * @module
 */

import type { BoundIndex, ProbeBounds } from "./bound_index.ts";

/** Some pairs: by probe row, and within it by build row. */
export interface PairPiece {
  readonly probeRows: Int32Array;
  readonly buildRows: Int32Array;
  /** All pairs of the probe rows before this one have been given. */
  readonly numDone: number;
}

/** Places that are compared without success, at most, before a piece ends: about a millisecond. */
const MAX_COMPARED = 1 << 20;

/**
 * The pairs in pieces of at most `maxPairs`, which may have none; the last one is done with all rows.
 * The matches of a row may fall into several pieces. A piece is overwritten by the next.
 */
export function* candidatePairs(
  index: BoundIndex,
  bounds: ProbeBounds,
  maxPairs: number,
): Generator<PairPiece, void, void> {
  const probeRows = new Int32Array(maxPairs);
  const buildRows = new Int32Array(maxPairs);
  const found = index.takeSpace();
  let count = 0;
  let compared = index.numCompared;
  const piece = (numDone: number): PairPiece => {
    const pairs = count;
    count = 0;
    compared = index.numCompared;
    return {
      probeRows: probeRows.subarray(0, pairs),
      buildRows: buildRows.subarray(0, pairs),
      numDone,
    };
  };
  try {
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
  } finally {
    index.giveBack(found);
  }
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
