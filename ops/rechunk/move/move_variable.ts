/**
 * One pass over an array whose items have a variable size.
 *
 * @module
 */

import {
  type Box,
  type ChunkRange,
  chunksOver,
  product,
  rangeBox,
  rangeSize,
} from "../../../streams/formats/zarr/grid/grid.ts";
import type { VariableReader, VariableWriter } from "../../../streams/formats/zarr/items/array.ts";
import { turnOfOthers } from "../../engine/event_loop.ts";
import { chunksIn, wholeRange } from "../plan/chunk_range.ts";
import { checkSameItems } from "./run_passes.ts";
import { BufferedItems, sharedBytes } from "./buffered_items.ts";
import { BoxMemory } from "./box_memory.ts";
import { nextRange, pushParts } from "../plan/next_range.ts";
import { mostChunkBytes, readIfFits, readWithin, TOO_LARGE } from "../plan/read_within.ts";
import {
  boxLimitBeside,
  bytesOf,
  estimatedSizes,
  fits,
  MAX_BOX_BYTES,
  placesBytes,
  tooLittleForChunk,
} from "../plan/variable_memory.ts";
import { type ItemSizes, OFFSET_BYTES } from "../plan/item_sizes.ts";

/** One pass: its arrays, limits and options. */
export interface VariableMove {
  readonly source: VariableReader;
  /** An array of the same shape, type and fill value. Without `resume` it has no chunks. */
  readonly target: VariableWriter;
  /** The sizes of items seen so far; the pass adds the chunks that it reads. */
  readonly sizes: ItemSizes;
  /** The greatest number of bytes that the items, and chunks in transit, may take. */
  readonly maxMem: number;
  /** Whether an earlier run may have written chunks, which are not written again. */
  readonly resume?: boolean;
  /** Whether to write chunks whose items are all missing. */
  readonly writesMissing?: boolean;
  /** Called after each chunk with the completed share, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
  readonly signal?: AbortSignal;
}

/** A move with its resources. */
interface Running extends VariableMove {
  readonly memory: BoxMemory;
  /** Reports the completed share of a range, from 0 to 1, and yields to other tasks. */
  reached(share: number): Promise<void>;
}

/**
 * Moves the items of an array to the chunks of another. It works box by box of target chunks: it reads
 * a whole box and then writes it. Chunks whose items are all missing stay missing, unless
 * `writesMissing`, and padding becomes fill values.
 *
 * The size of items is known only when they are read. A box is chosen by the sizes seen so far so that
 * it fits into `maxMem` bytes; one that does not fit is abandoned and divided. Besides the buffered
 * items, `maxMem` counts the largest chunk that was read three times, for its decoding. A chunk that
 * is larger than the bytes left is abandoned as soon as that is known, together with the box.
 *
 * Throws a RangeError if one chunk does not fit, with the size that would, a FileError for files,
 * and the reason of `signal`. After each of these, all chunks on disk are complete.
 */
export async function moveVariable(run: VariableMove): Promise<void> {
  const { source, target, maxMem } = run;
  const grid = target.writeGrid;
  run.signal?.throwIfAborted();
  checkSameItems(source, target);
  using memory = new BoxMemory();
  const ranges = [wholeRange(grid)];
  const numChunks = rangeSize(ranges[0]!);
  let [numDone, reached] = [0, 0];
  for (;;) {
    const range = nextRange(ranges, run);
    if (range === undefined) break;
    const size = rangeSize(range);
    const moved = await moveRange(range, {
      ...run,
      memory,
      reached: async (share) => {
        reached = Math.max(reached, (numDone + share * size) / numChunks);
        run.onProgress?.(reached);
        await turnOfOthers();
        run.signal?.throwIfAborted();
      },
    });
    if (moved) numDone += size;
    else if (size > 1) pushParts(ranges, range, 1 / 2, run);
    else {
      const needed = await neededBytes(range, run);
      throw tooLittleForChunk(target, range.first, { maxMem, needed });
    }
  }
}

/** The factor by which the memory exceeds the estimate, where the limit allows it. */
const SPARE = 4;

/** Moves a range of chunks. False where it does not fit; then none of it was written. */
async function moveRange(range: ChunkRange, running: Running): Promise<boolean> {
  const { target, maxMem, sizes, memory } = running;
  const outputs = await chunksToWrite(range, running);
  if (outputs.length === 0) return true;
  const most = Math.min(maxMem, MAX_BOX_BYTES);
  const expected = bytesOf(estimatedSizes(range, running));
  // The limit is allocated only where the estimate proves too small.
  for (const length of expected * SPARE < most ? [expected * SPARE, most] : [most]) {
    const { fill, writeGrid: grid } = target;
    const boxBytes = placesBytes(range, grid, fill.length);
    if (boxBytes > Math.min(length, boxLimitBeside(maxMem, sizes.largest))) return false;
    const bytes = memory.take(length, boxLimitBeside(maxMem, sizes.largest));
    const items = new BufferedItems(bytes, { grid, indices: outputs, fill });
    if (await readItems(items, rangeBox(grid, range), running)) {
      await writeItems(items, outputs, running);
      return true;
    }
    if (rangeSize(range) > 1) return false;
  }
  return false;
}

/** Returns the chunks of a range that are not written yet. */
async function chunksToWrite(
  range: ChunkRange,
  { target, resume = false }: Running,
): Promise<(readonly number[])[]> {
  const { writeGrid } = target;
  const outputs: (readonly number[])[] = [];
  for (const index of chunksOver(writeGrid, rangeBox(writeGrid, range))) {
    if (!resume || !await target.hasChunk(index)) outputs.push(index);
  }
  return outputs;
}

/** Reads all items of a box. False as soon as they prove not to fit. */
async function readItems(items: BufferedItems, box: Box, running: Running): Promise<boolean> {
  const { source, sizes, maxMem, memory } = running;
  const { grid } = source;
  const numChunks = chunksIn(grid, box);
  let numRead = 0;
  for (const index of chunksOver(grid, box)) {
    const left = maxMem - items.usedBytes;
    const chunk = await readIfFits(source, index, left);
    if (chunk === TOO_LARGE) {
      sizes.addLarger(mostChunkBytes(left));
      return false;
    }
    sizes.add(chunk, product(grid.chunk), source.fill.length);
    if (chunk !== undefined) {
      const limit = boxLimitBeside(maxMem, sizes.largest);
      const isAdded = items.add(chunk, { grid, index, limit });
      source.free?.(chunk);
      if (!isAdded) return false;
    }
    const largest = Math.max(sizes.largest, items.largest);
    if (!items.canAssemble || !fits({ boxBytes: items.usedBytes, largest }, maxMem)) return false;
    memory.touch(items.usedBytes + items.largest);
    await running.reached(++numRead / numChunks / 2);
  }
  return true;
}

async function writeItems(
  items: BufferedItems,
  outputs: readonly (readonly number[])[],
  { target, writesMissing = false, reached }: Running,
): Promise<void> {
  try {
    for (const [number, index] of outputs.entries()) {
      if (writesMissing || !items.isEmpty(index)) {
        await target.writeChunk(index, items.assemble(index));
      }
      await reached((1 + (number + 1) / outputs.length) / 2);
    }
  } finally {
    await target.flush?.();
  }
}

/** Returns the number of bytes that one chunk of the target takes, by reading all of its items. */
async function neededBytes(range: ChunkRange, run: VariableMove): Promise<number> {
  const { source, target, sizes, maxMem } = run;
  const { fill, writeGrid: grid } = target;
  const numItems = product(grid.chunk);
  let dataBytes = 0;
  for (const index of chunksOver(source.grid, rangeBox(grid, range))) {
    const chunk = await readWithin(source, index, maxMem);
    sizes.add(chunk, product(source.grid.chunk), source.fill.length);
    if (chunk === undefined) continue;
    dataBytes += sharedBytes(chunk, { grid: source.grid, index }, { grid, index: range.first });
    source.free?.(chunk);
  }
  const assembled = OFFSET_BYTES * (numItems + 1) + dataBytes + numItems * fill.length;
  const largest = Math.max(sizes.largest, assembled);
  return bytesOf({ boxBytes: placesBytes(range, grid, fill.length) + dataBytes, largest });
}
