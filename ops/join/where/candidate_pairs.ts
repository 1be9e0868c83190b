/**
 * The pairs of rows that an index finds for a probe batch, in lists of bounded size.
 *
 * @module
 */

import type { BoundIndex, ProbeBounds } from "./bound_index.ts";

/** Pairs of rows. */
export interface PairRows {
  readonly probeRows: Int32Array;
  /** -1 for an unmatched probe row. */
  readonly buildRows: Int32Array;
}

/** Some pairs, sorted by probe row and then by build row. */
export interface PairList extends PairRows {
  /** The first probe row that may have further pairs. */
  readonly numDone: number;
}

/** Memory for the pairs of a batch, which the next batch may reuse. */
export interface PairSpace extends PairRows {
  /** Memory for the rows of a search: `mostFound` rows. */
  readonly found: Int32Array;
}

/** Allocates memory for lists of `maxPairs` pairs. */
export function newPairSpace({ mostFound }: BoundIndex, maxPairs: number): PairSpace {
  return { found: new Int32Array(mostFound), ...newPairRows(maxPairs) };
}

/** Allocates memory for pairs. */
export function newPairRows(maxPairs: number): PairRows {
  return { probeRows: new Int32Array(maxPairs), buildRows: new Int32Array(maxPairs) };
}

/** Returns the first `count` pairs, in the same memory. */
export function firstPairs({ probeRows, buildRows }: PairRows, count: number): PairRows {
  return { probeRows: probeRows.subarray(0, count), buildRows: buildRows.subarray(0, count) };
}

/** The greatest number of places that may be compared for one list: about a millisecond. */
const MAX_COMPARED = 1 << 20;

/**
 * Yields the pairs in lists that fit into the space, some of which may be empty; the last list is done with
 * all rows. The pairs of a row may be in several lists. Each list overwrites the one before it.
 */
export function* candidatePairs(
  index: BoundIndex,
  bounds: ProbeBounds,
  space: PairSpace,
): Generator<PairList, void, void> {
  const { found, probeRows, buildRows } = space;
  const maxPairs = probeRows.length;
  let count = 0;
  let compared = index.numCompared;
  const list = (numDone: number): PairList => {
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
      if (count === maxPairs) yield list(from < numFound ? row : row + 1);
    }
    if (index.numCompared - compared > MAX_COMPARED) yield list(row + 1);
  }
  yield list(bounds.numRows);
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
