/**
 * The chunks of a box that lie in an arena one behind the other, and copies between them and another
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

/** Where the chunks of a box lie: in C order, each of full size in C order. */
export interface HeldChunks {
  /** Items of a chunk along each axis. */
  readonly chunk: readonly number[];
  /** The place in the grid of the first one. */
  readonly first: readonly number[];
  /** How many there are along each axis. */
  readonly counts: readonly number[];
  readonly itemBytes: number;
  /** Where the first one lies in the arena. */
  readonly offset: number;
}

/** Items of an array that lie in an arena. */
export interface PlacedItems extends BoxPlace {
  /** The item at `offset`, along each axis. */
  readonly start: readonly number[];
}

/** Items [start, start + length) along an axis, of each of `count` chunks. */
interface Segment {
  readonly start: number;
  readonly count: number;
  readonly length: number;
}

/** Where a chunk lies in the arena. */
export function chunkOffset(held: HeldChunks, index: readonly number[]): number {
  const { chunk, first, counts, itemBytes, offset } = held;
  const rank = index.reduce((sum, at, axis) => sum * counts[axis]! + at - first[axis]!, 0);
  return offset + rank * product(chunk) * itemBytes;
}

/** Where an item lies in the arena, given its place in the array. */
export function itemOffset(held: HeldChunks, place: readonly number[]): number {
  const { chunk, itemBytes } = held;
  const strides = denseStrides(chunk, itemBytes);
  const index = place.map((at, axis) => Math.floor(at / chunk[axis]!));
  return place.reduce(
    (sum, at, axis) => sum + at % chunk[axis]! * strides[axis]!,
    chunkOffset(held, index),
  );
}

/** A chunk of some array that lies somewhere in C order. */
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

/** Copies the items of a box, which may lie in several of the chunks, to or from other items. */
export function copyHeld(
  arena: Arena,
  held: HeldChunks,
  { box, other, way }: {
    readonly box: Box;
    readonly other: PlacedItems;
    readonly way: "intoChunks" | "outOfChunks";
  },
): void {
  for (const segments of segmentsOf(box, held.chunk)) {
    const inChunks = placeOf(held, segments);
    const outside = {
      offset: segments.reduce(
        (sum, { start }, axis) => sum + (start - other.start[axis]!) * other.strides[axis]!,
        other.offset,
      ),
      strides: other.strides.flatMap((stride, axis) => [stride * held.chunk[axis]!, stride]),
    };
    arena.copy({
      itemBytes: held.itemBytes,
      shape: segments.flatMap(({ count, length }) => [count, length]),
      from: way === "intoChunks" ? outside : inChunks,
      to: way === "intoChunks" ? inChunks : outside,
    });
  }
}

/** Where a chunk lies that is filled, and the item to fill it with. */
interface FilledChunk {
  readonly chunk: PlacedItems;
  /** Where the item lies in the arena. */
  readonly fill: number;
  readonly itemBytes: number;
}

/** Fills a box of the items of a chunk. */
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

/** Fills what lies behind the end of the array in the chunk at a place of a grid. */
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
    // What is behind the end along an axis before this one has been filled.
    fillBox(arena, {
      start: start.with(axis, end),
      stop: [...stop.slice(0, axis), ...full.slice(axis)],
    }, filled);
  });
}

/** Where the items of segments lie: along each axis from chunk to chunk, then within them. */
function placeOf(held: HeldChunks, segments: readonly Segment[]): BoxPlace {
  const { chunk, counts, itemBytes } = held;
  const within = denseStrides(chunk, itemBytes);
  const between = denseStrides(counts, product(chunk) * itemBytes);
  return {
    offset: itemOffset(held, segments.map(({ start }) => start)),
    strides: within.flatMap((stride, axis) => [between[axis]!, stride]),
  };
}

/** Boxes that a box consists of, each within one chunk or of whole ones along every axis. */
function segmentsOf(box: Box, chunk: readonly number[]): Segment[][] {
  const shape = boxShape(box);
  return box.start.reduce<Segment[][]>((boxes, start, axis) => {
    const along = axisSegments(start, start + shape[axis]!, chunk[axis]!);
    return boxes.flatMap((segments) => along.map((segment) => [...segments, segment]));
  }, [[]]);
}

/** The part of a chunk at the start, whole chunks, the part of one at the end: those there are. */
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
