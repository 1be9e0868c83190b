/**
 * Boxes of whole chunks, and how they are cut into two.
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

/** All chunks of a grid. */
export function wholeRange(grid: Grid): ChunkRange {
  return { first: grid.shape.map(() => 0), end: gridShape(grid) };
}

/** How many chunks of a grid share items with a box that has some. */
export function chunksIn({ chunk }: Grid, { start, stop }: Box): number {
  return start.reduce((count, at, axis) => count * chunksAlong(chunk[axis]!, at, stop[axis]!), 1);
}

/** Where a range is cut: chunks of its first part along an axis, and source chunks in both parts. */
interface Cut {
  readonly axis: number;
  readonly count: number;
  readonly numSplit: number;
}

/**
 * Cuts several chunks of a grid in two, of which the first has at most `share` of all, or one layer of
 * chunks. The cut goes through the fewest chunks of `source`, and else across the first axis.
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
