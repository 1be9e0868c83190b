/**
 * Ranges of whole chunks, and how to cut them in two.
 *
 * @module
 */

import {
  type Box,
  type ChunkRange,
  type Grid,
  gridShape,
  rangeBox,
} from "../../../streams/formats/zarr/grid/grid.ts";

/** Returns the range of all chunks of a grid. */
export function wholeRange(grid: Grid): ChunkRange {
  return { first: grid.shape.map(() => 0), end: gridShape(grid) };
}

/** Returns the number of chunks of a grid that overlap a box, which must not be empty. */
export function chunksIn({ chunk }: Grid, { start, stop }: Box): number {
  return start.reduce((count, at, axis) => count * chunksAlong(chunk[axis]!, at, stop[axis]!), 1);
}

/** A cut: the axis, the chunks of the first part along it, and the source chunks that it splits. */
interface Cut {
  readonly axis: number;
  readonly count: number;
  readonly numSplit: number;
}

/**
 * Cuts a range of several chunks in two. The first part has at most `share` of the chunks, or one layer
 * of chunks. The cut splits the fewest chunks of `source`; of equal cuts, the one along the first axis
 * is used.
 */
export function cutRange(
  range: ChunkRange,
  { share, grid, source }: {
    readonly share: number;
    readonly grid: Grid;
    readonly source: Grid;
  },
): [ChunkRange, ChunkRange] {
  const { first, end } = range;
  const box = rangeBox(grid, range);
  const cuts = first.flatMap((place, axis): Cut[] => {
    const length = end[axis]! - place;
    if (length < 2) return [];
    const most = Math.min(length - 1, Math.max(1, Math.floor(length * share)));
    const isBetween = (count: number) =>
      (place + count) * grid.chunk[axis]! % source.chunk[axis]! === 0;
    for (let count = most; count > most / 2; count--) {
      if (isBetween(count)) return [{ axis, count, numSplit: 0 }];
    }
    const across = { start: box.start.with(axis, 0), stop: box.stop.with(axis, 1) };
    return [{ axis, count: most, numSplit: chunksIn(source, across) }];
  });
  const { axis, count } = cuts.reduce((best, cut) => cut.numSplit < best.numSplit ? cut : best);
  const middle = first[axis]! + count;
  return [{ first, end: end.with(axis, middle) }, { first: first.with(axis, middle), end }];
}

function chunksAlong(length: number, start: number, stop: number): number {
  return Math.ceil(stop / length) - Math.floor(start / length);
}
