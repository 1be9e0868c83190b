/**
 * The chunks of a box, which lie in an arena one after another, and copies between them and another
 * box of items.
 *
 * @module
 */

import { type BoxPlace, denseStrides } from "../../../gpu/column/boxes/box_copy.ts";
import {
  type Box,
  boxShape,
  chunkBox,
  type Grid,
  product,
} from "../../../streams/formats/zarr/grid/grid.ts";
import type { Arena } from "./arena.ts";

/** The layout of the chunks of a box: in C order, each of full size in C order. */
export interface ArenaChunks {
  /** The number of items of a chunk along each axis. */
  readonly chunk: readonly number[];
  /** The index of the first chunk in the grid. */
  readonly first: readonly number[];
  /** The number of chunks along each axis. */
  readonly counts: readonly number[];
  readonly itemBytes: number;
  /** The offset of the first chunk in the arena. */
  readonly offset: number;
}

/** Items of an array that lie in an arena. */
interface PlacedItems extends BoxPlace {
  /** The position of the item at `offset`, along each axis. */
  readonly start: readonly number[];
}

/** Items [start, start + length) along an axis, of each of `count` chunks. */
interface Segment {
  readonly start: number;
  readonly count: number;
  readonly length: number;
}

/** Returns the offset of a chunk in the arena. */
export function chunkOffset(chunks: ArenaChunks, index: readonly number[]): number {
  const { chunk, first, counts, itemBytes, offset } = chunks;
  const rank = index.reduce((sum, at, axis) => sum * counts[axis]! + at - first[axis]!, 0);
  return offset + rank * product(chunk) * itemBytes;
}

/** Returns the offset of an item in the arena, given its position in the array. */
export function itemOffset(chunks: ArenaChunks, place: readonly number[]): number {
  const { chunk, itemBytes } = chunks;
  const strides = denseStrides(chunk, itemBytes);
  const index = place.map((at, axis) => Math.floor(at / chunk[axis]!));
  return place.reduce(
    (sum, at, axis) => sum + at % chunk[axis]! * strides[axis]!,
    chunkOffset(chunks, index),
  );
}

/** Returns the place of a chunk that lies at an offset in C order. */
export function placedChunk(
  offset: number,
  { chunk, index, itemBytes }: {
    readonly chunk: readonly number[];
    readonly index: readonly number[];
    readonly itemBytes: number;
  },
): PlacedItems {
  const start = index.map((at, axis) => at * chunk[axis]!);
  return { offset, start, strides: denseStrides(chunk, itemBytes) };
}

/** Copies the items of a box, which may span several of the chunks, to or from other items. */
export function copyBox(
  arena: Arena,
  chunks: ArenaChunks,
  { box, other, way }: {
    readonly box: Box;
    readonly other: PlacedItems;
    readonly way: "intoChunks" | "outOfChunks";
  },
): void {
  for (const segments of segmentsOf(box, chunks.chunk)) {
    const inChunks = placeOf(chunks, segments);
    const outside = {
      offset: segments.reduce(
        (sum, { start }, axis) => sum + (start - other.start[axis]!) * other.strides[axis]!,
        other.offset,
      ),
      strides: other.strides.flatMap((stride, axis) => [stride * chunks.chunk[axis]!, stride]),
    };
    arena.copy({
      itemBytes: chunks.itemBytes,
      shape: segments.flatMap(({ count, length }) => [count, length]),
      from: way === "intoChunks" ? outside : inChunks,
      to: way === "intoChunks" ? inChunks : outside,
    });
  }
}

/** The place of a chunk to fill, and the fill value. */
interface FilledChunk {
  readonly chunk: PlacedItems;
  /** The offset of the fill value in the arena. */
  readonly fill: number;
  readonly itemBytes: number;
}

/** Fills a box within a chunk. */
export function fillBox(arena: Arena, box: Box, { chunk, fill, itemBytes }: FilledChunk): void {
  const { offset, start, strides } = chunk;
  arena.copy({
    itemBytes,
    shape: boxShape(box),
    from: { offset: fill, strides: strides.map(() => 0) },
    to: {
      offset: strides.reduce(
        (sum, stride, axis) => sum + (box.start[axis]! - start[axis]!) * stride,
        offset,
      ),
      strides,
    },
  });
}

/** Fills the part of a chunk that lies beyond the end of the array. */
export function fillPadding(
  arena: Arena,
  { shape, chunk }: Grid,
  { index, ...filled }: FilledChunk & { readonly index: readonly number[] },
): void {
  const { start } = filled.chunk;
  const full = start.map((at, axis) => at + chunk[axis]!);
  const { stop } = chunkBox({ shape, chunk }, index);
  stop.forEach((end, axis) => {
    if (end === full[axis]) return;
    // The parts beyond the end of earlier axes are filled already.
    fillBox(arena, {
      start: start.with(axis, end),
      stop: [...stop.slice(0, axis), ...full.slice(axis)],
    }, filled);
  });
}

/** Returns the place of segments: for each axis a stride between chunks, then one within them. */
function placeOf(chunks: ArenaChunks, segments: readonly Segment[]): BoxPlace {
  const { chunk, counts, itemBytes } = chunks;
  const within = denseStrides(chunk, itemBytes);
  const between = denseStrides(counts, product(chunk) * itemBytes);
  return {
    offset: itemOffset(chunks, segments.map(({ start }) => start)),
    strides: within.flatMap((stride, axis) => [between[axis]!, stride]),
  };
}

/** Splits a box so that, along every axis, each part is within one chunk or consists of whole ones. */
function segmentsOf(box: Box, chunk: readonly number[]): Segment[][] {
  const shape = boxShape(box);
  return box.start.reduce<Segment[][]>((boxes, start, axis) => {
    const along = axisSegments(start, start + shape[axis]!, chunk[axis]!);
    return boxes.flatMap((segments) => along.map((segment) => [...segments, segment]));
  }, [[]]);
}

/** Returns a partial chunk at the start, whole chunks, and a partial chunk at the end, where present. */
function axisSegments(start: number, stop: number, chunk: number): Segment[] {
  const segments: Segment[] = [];
  const wholeStart = Math.min(stop, Math.ceil(start / chunk) * chunk);
  const wholeStop = Math.max(wholeStart, Math.floor(stop / chunk) * chunk);
  if (wholeStart > start) segments.push({ start, count: 1, length: wholeStart - start });
  if (wholeStop > wholeStart) {
    const count = (wholeStop - wholeStart) / chunk;
    segments.push({ start: wholeStart, count, length: chunk });
  }
  if (stop > wholeStop) segments.push({ start: wholeStop, count: 1, length: stop - wholeStop });
  return segments;
}
