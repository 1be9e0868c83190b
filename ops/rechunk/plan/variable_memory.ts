/**
 * How much memory a run over an array of text takes: the arithmetic in one place.
 *
 * @module
 */

import { OptionError } from "../../../base/errors/option_error.ts";
import { option, optionText } from "../../../base/errors/option_text.ts";
import {
  type ChunkRange,
  type Grid,
  product,
  rangeSize,
} from "../../../streams/formats/zarr/grid/grid.ts";
import type { VariableReader, VariableWriter } from "../../../streams/formats/zarr/items/array.ts";
import { enoughText, sizeText } from "../../../base/quantities.ts";
import { type ItemSizes, OFFSET_BYTES, PLACE_BYTES } from "./item_sizes.ts";

/** How often a chunk lies in memory while it is decoded, or put together and encoded. */
export const CHUNK_COPIES = 3;
/** Bytes that one memory has at most: places in it have 32 bits. */
export const MAX_HELD_BYTES = 2 ** 32 - 8;

/** The bytes of a box, and of the largest chunk that comes or goes beside it. */
export interface HeldSizes {
  readonly held: number;
  readonly largest: number;
}

/** Bytes that are left for what is held. */
export function heldLimit(maxMem: number, largest: number): number {
  return Math.min(maxMem - CHUNK_COPIES * largest, MAX_HELD_BYTES);
}

/** Bytes that both take. */
export function bytesOf({ held, largest }: HeldSizes): number {
  return held + CHUNK_COPIES * largest;
}

/** Whether what is held fits with the largest chunk. */
export function fits({ held, largest }: HeldSizes, maxMem: number): boolean {
  return held <= heldLimit(maxMem, largest) && largest < 2 ** 31;
}

/** Bytes that are held of a range before any item comes, whose items have `fillBytes`. */
export function placesBytes(range: ChunkRange, { chunk }: Grid, fillBytes: number): number {
  return rangeSize(range) * product(chunk) * PLACE_BYTES + fillBytes;
}

/** Estimates the memory of a range of chunks from the sizes that were seen. */
export function estimatedSizes(range: ChunkRange, ends: Ends): HeldSizes {
  return sizesOf(range, ends, ends.sizes.meanBytes);
}

/** Returns its least memory: all items may be empty. */
export function leastSizes(range: ChunkRange, ends: Ends): HeldSizes {
  return sizesOf(range, ends, 0);
}

/** Two arrays, and what is known of their items. */
interface Ends {
  readonly source: VariableReader;
  readonly target: VariableWriter;
  readonly sizes: ItemSizes;
}

function sizesOf(range: ChunkRange, { source, target, sizes }: Ends, itemBytes: number): HeldSizes {
  const { writeGrid, fill } = target;
  const chunkItems = product(writeGrid.chunk);
  const largest = (OFFSET_BYTES + itemBytes) * Math.max(chunkItems, product(source.grid.chunk));
  return {
    held: placesBytes(range, writeGrid, fill.length) + rangeSize(range) * chunkItems * itemBytes,
    largest: Math.max(sizes.largest, Math.ceil(largest)),
  };
}

/** The error where one chunk of the target does not fit, and takes `needed` bytes. */
export function tooLittleForChunk(
  { name, writeGrid }: VariableWriter,
  index: readonly number[],
  { maxMem, needed }: { readonly maxMem: number; readonly needed: number },
): RangeError {
  const start = index.map((place, axis) => place * writeGrid.chunk[axis]!);
  const chunk = `the new chunk at [${start.join(", ")}] of ${name}`;
  if (needed > maxMem && needed <= MAX_HELD_BYTES) {
    return new OptionError(
      optionText`${option("maxMem")} of ${
        sizeText(maxMem)
      } is too little for ${chunk}: raise it to at least ${enoughText(needed)}`,
    );
  }
  return new RangeError(
    `${chunk} takes ${
      sizeText(needed)
    } of memory, and 4 GiB at most can be used: take smaller chunks`,
  );
}
