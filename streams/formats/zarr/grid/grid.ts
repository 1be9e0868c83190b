/**
 * Regular grids over N-D arrays: the chunks that a box overlaps, and the box of a chunk. Rows of a stream
 * are the case of one axis. Lengths and positions count items; boxes are half open.
 *
 * @module
 */

/** A regular grid. The last chunks along an axis end with the array. */
export interface Grid {
  /** The number of items of the array along each axis. */
  readonly shape: readonly number[];
  /** The number of items of a chunk along each axis: at least 1. */
  readonly chunk: readonly number[];
}

/** The items [start, stop) along each axis. */
export interface Box {
  readonly start: readonly number[];
  readonly stop: readonly number[];
}

/** The chunks [first, end) along each axis of a grid. */
export interface ChunkRange {
  readonly first: readonly number[];
  readonly end: readonly number[];
}

/** Returns the number of chunks along each axis; 0 along an axis without items. */
export function gridShape({ shape, chunk }: Grid): number[] {
  return shape.map((length, axis) => Math.ceil(length / chunk[axis]!));
}

/** Returns the number of chunks; 1 for an array without axes. */
export function numChunks(grid: Grid): number {
  return product(gridShape(grid));
}

/** Returns the box of the chunk at an index of the grid, cut off at the end of the array. */
export function chunkBox({ shape, chunk }: Grid, index: readonly number[]): Box {
  const start = index.map((place, axis) => place * chunk[axis]!);
  return { start, stop: start.map((at, axis) => Math.min(at + chunk[axis]!, shape[axis]!)) };
}

/** Yields the indices of all chunks that overlap a box, the last axis fastest. */
export function* chunksOver({ chunk }: Grid, { start, stop }: Box): Generator<number[]> {
  const first = start.map((at, axis) => Math.floor(at / chunk[axis]!));
  const end = stop.map((at, axis) => Math.ceil(at / chunk[axis]!));
  yield* placesIn({ first, end });
}

/** Yields the indices of all chunks, the last axis fastest. */
export function* allChunks(grid: Grid): Generator<number[]> {
  yield* placesIn({ first: grid.shape.map(() => 0), end: gridShape(grid) });
}

/** Returns the number of chunks of a range; 0 where an axis has none. */
export function rangeSize({ first, end }: ChunkRange): number {
  return end.reduce((count, stop, axis) => count * (stop - first[axis]!), 1);
}

/** Returns the box of the items that the chunks of a range have. */
export function rangeBox({ shape, chunk }: Grid, { first, end }: ChunkRange): Box {
  return {
    start: first.map((place, axis) => place * chunk[axis]!),
    stop: end.map((place, axis) => Math.min(place * chunk[axis]!, shape[axis]!)),
  };
}

/** Returns the items that two boxes share; undefined if there are none. */
export function intersect(a: Box, b: Box): Box | undefined {
  const start = a.start.map((at, axis) => Math.max(at, b.start[axis]!));
  const stop = a.stop.map((at, axis) => Math.min(at, b.stop[axis]!));
  return start.every((at, axis) => at < stop[axis]!) ? { start, stop } : undefined;
}

/** Returns the number of items of a box along each axis. */
export function boxShape({ start, stop }: Box): number[] {
  return stop.map((at, axis) => at - start[axis]!);
}

/** Returns the number of items of a shape; 1 without axes. */
export function product(shape: readonly number[]): number {
  return shape.reduce((items, length) => items * length, 1);
}

/** Yields the indices of a range, the last axis fastest. */
export function* placesIn({ first, end }: ChunkRange): Generator<number[]> {
  if (first.some((at, axis) => at >= end[axis]!)) return;
  const at = [...first];
  while (true) {
    yield [...at];
    let axis = at.length - 1;
    while (axis >= 0 && ++at[axis]! === end[axis]!) at[axis] = first[axis--]!;
    if (axis < 0) return;
  }
}

/**
 * Calls `run` for each contiguous run of a box in C order of a shape, with the index of its first item
 * and the number of its items.
 */
export function eachRun(
  shape: readonly number[],
  { start, stop }: Box,
  run: (first: number, count: number) => void,
): void {
  const count = shape.length === 0 ? 1 : stop.at(-1)! - start.at(-1)!;
  const outer = boxShape({ start: start.slice(0, -1), stop: stop.slice(0, -1) });
  for (const row of allChunks({ shape: outer, chunk: outer.map(() => 1) })) {
    const first = shape.reduce(
      (sum, length, axis) => sum * length + start[axis]! + (row[axis] ?? 0),
      0,
    );
    run(first, count);
  }
}

/** Returns the index with a number in C order, given the counts along each axis. */
export function placeAt(number: number, counts: readonly number[]): number[] {
  const place: number[] = new Array(counts.length);
  let rest = number;
  for (let axis = counts.length - 1; axis >= 0; axis--) {
    place[axis] = rest % counts[axis]!;
    rest = Math.floor(rest / counts[axis]!);
  }
  return place;
}
