/**
 * The items of a box of output chunks, while their input arrives. One memory holds the items in order
 * of arrival, and for each position in a chunk the place of its item.
 *
 * @module
 */

import { InternalError } from "../../../base/errors/internal_error.ts";
import {
  type Box,
  boxShape,
  chunkBox,
  chunksOver,
  type Grid,
  intersect,
  product,
} from "../../../streams/formats/zarr/grid/grid.ts";
import type { VariableItems } from "../../../streams/formats/zarr/items/array.ts";
import { OFFSET_BYTES } from "../plan/item_sizes.ts";

/** A chunk to be written. */
interface BufferedChunk {
  readonly index: readonly number[];
  /** The items that are in the array. */
  readonly box: Box;
  /** The place in the memory where the item of each position begins. */
  readonly starts: Uint32Array;
  readonly lengths: Uint32Array;
  dataBytes: number;
  /** Whether no item has arrived for it so far. */
  isEmpty: boolean;
}

/** The chunks of a box. Every item is the fill value until another arrives. */
export class BufferedItems {
  readonly #memory: Uint8Array<ArrayBuffer>;
  readonly #grid: Grid;
  readonly #chunks = new Map<string, BufferedChunk>();
  #used: number;
  #largest = 0;

  /** Requires `memory` with enough bytes for the places of all items, and for the fill value. */
  constructor(
    memory: Uint8Array<ArrayBuffer>,
    { grid, indices, fill }: {
      readonly grid: Grid;
      readonly indices: readonly (readonly number[])[];
      readonly fill: Uint8Array;
    },
  ) {
    this.#memory = memory;
    this.#grid = grid;
    const numItems = product(grid.chunk);
    let at = 0;
    const column = () => {
      const values = new Uint32Array(memory.buffer, memory.byteOffset + at, numItems);
      at += values.byteLength;
      return values;
    };
    const chunks = indices.map((index): BufferedChunk => ({
      ...{ index, box: chunkBox(grid, index), starts: column(), lengths: column() },
      ...{ dataBytes: numItems * fill.length, isEmpty: true },
    }));
    memory.set(fill, at);
    for (const chunk of chunks) {
      chunk.starts.fill(at);
      chunk.lengths.fill(fill.length);
      this.#chunks.set(chunk.index.join(), chunk);
      this.#largest = Math.max(this.#largest, assembledBytes(chunk));
    }
    this.#used = at + fill.length;
  }

  /** The number of bytes in use. */
  get usedBytes(): number {
    return this.#used;
  }

  /** The number of bytes of the largest chunk, as it is written. */
  get largest(): number {
    return this.#largest;
  }

  /** Whether the largest chunk fits into the memory after the buffered items. */
  get canAssemble(): boolean {
    return this.#used + OFFSET_BYTES + this.#largest <= this.#memory.length;
  }

  /**
   * Adds the items of a chunk of another grid that lie in this box. False where they do not fit into
   * the memory up to `limit`; the buffered items are unusable then.
   */
  add(
    items: VariableItems,
    { grid, index, limit }: {
      readonly grid: Grid;
      readonly index: readonly number[];
      readonly limit: number;
    },
  ): boolean {
    const from = chunkBox(grid, index);
    for (const place of chunksOver(this.#grid, from)) {
      const chunk = this.#chunks.get(place.join());
      const shared = chunk === undefined ? undefined : intersect(from, chunk.box);
      if (shared === undefined) continue;
      chunk!.isEmpty = false;
      for (const { at, to, count } of runsOf(shared, { grid, index }, this.#gridAt(chunk!))) {
        if (!this.#copy(chunk!, items, { at, to, count, limit })) return false;
      }
      this.#largest = Math.max(this.#largest, assembledBytes(chunk!));
    }
    return true;
  }

  /** Whether no item has arrived for a chunk. */
  isEmpty(index: readonly number[]): boolean {
    return this.#chunks.get(index.join())!.isEmpty;
  }

  /** Returns the items of a chunk in C order, in memory after the buffered ones, until the next call. */
  assemble(index: readonly number[]): VariableItems {
    const chunk = this.#chunks.get(index.join())!;
    const { starts, lengths, dataBytes } = chunk;
    const memory = this.#memory;
    const aligned = Math.ceil(this.#used / OFFSET_BYTES) * OFFSET_BYTES;
    const offsets = new Int32Array(memory.buffer, memory.byteOffset + aligned, starts.length + 1);
    const data = memory.subarray(aligned + offsets.byteLength, aligned + assembledBytes(chunk));
    offsets[0] = 0;
    let [at, runStart, runStop] = [0, 0, 0];
    const flush = () => {
      copyShort(memory, data.byteOffset - memory.byteOffset + at, runStart, runStop);
      at += runStop - runStart;
    };
    for (let item = 0; item < starts.length; item++) {
      const length = lengths[item]!;
      if (starts[item] !== runStop) {
        flush();
        runStart = runStop = starts[item]!;
      }
      runStop += length;
      offsets[item + 1] = at + runStop - runStart;
    }
    flush();
    if (at !== dataBytes) {
      throw new InternalError(`${at} bytes of items were put together, not ${dataBytes}`);
    }
    return { offsets, data };
  }

  #gridAt({ index }: BufferedChunk) {
    return { grid: this.#grid, index };
  }

  #copy(
    chunk: BufferedChunk,
    { offsets, data }: VariableItems,
    { at, to, count, limit }: Run & { readonly limit: number },
  ): boolean {
    const { starts, lengths } = chunk;
    const first = offsets[at]!;
    const numBytes = offsets[at + count]! - first;
    if (this.#used + numBytes > Math.min(limit, this.#memory.length)) return false;
    this.#memory.set(data.subarray(first, first + numBytes), this.#used);
    const shift = this.#used - first;
    for (let item = 0; item < count; item++) {
      const start = offsets[at + item]!;
      const length = offsets[at + item + 1]! - start;
      chunk.dataBytes += length - lengths[to + item]!;
      starts[to + item] = start + shift;
      lengths[to + item] = length;
    }
    this.#used += numBytes;
    return true;
  }
}

/** Returns the number of bytes of those items of a chunk that also lie in a chunk of another grid. */
export function sharedBytes({ offsets }: VariableItems, from: GridPlace, to: GridPlace): number {
  const shared = intersect(chunkBox(from.grid, from.index), chunkBox(to.grid, to.index));
  let numBytes = 0;
  if (shared === undefined) return numBytes;
  for (const { at, count } of runsOf(shared, from, to)) {
    numBytes += offsets[at + count]! - offsets[at]!;
  }
  return numBytes;
}

/** Returns the number of bytes of a chunk's items with their offsets, in C order. */
function assembledBytes({ starts, dataBytes }: BufferedChunk): number {
  return OFFSET_BYTES * (starts.length + 1) + dataBytes;
}

/** Items that are contiguous in two chunks: their ranks in each, and their number. */
interface Run {
  readonly at: number;
  readonly to: number;
  readonly count: number;
}

/** A chunk of a grid. */
interface GridPlace {
  readonly grid: Grid;
  readonly index: readonly number[];
}

/** Yields the runs along the last axis of a box that lies in two chunks. */
function* runsOf(box: Box, from: GridPlace, to: GridPlace): Generator<Run> {
  const count = boxShape(box).at(-1) ?? 1;
  const last = box.start.length - 1;
  const firstItems = { ...box, stop: last < 0 ? [] : box.stop.with(last, box.start[last]! + 1) };
  const items = { shape: box.stop, chunk: box.stop.map(() => 1) };
  for (const place of chunksOver(items, firstItems)) {
    yield { at: rankOf(place, from), to: rankOf(place, to), count };
  }
}

/** Returns the rank of an item in C order of a chunk of full size. */
function rankOf(place: readonly number[], { grid: { chunk }, index }: GridPlace): number {
  return place.reduce(
    (rank, at, axis) => rank * chunk[axis]! + at - index[axis]! * chunk[axis]!,
    0,
  );
}

/** Copies bytes within memory; for a few of them a loop is faster than a call. */
function copyShort(memory: Uint8Array, to: number, start: number, stop: number): void {
  if (stop - start > 64) return void memory.copyWithin(to, start, stop);
  for (let at = start; at < stop; at++) memory[to++] = memory[at]!;
}
