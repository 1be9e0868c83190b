/**
 * Computes the memory that a run of variable items takes, for all callers.
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

/** The copies of a chunk in memory while it is decoded, or assembled and encoded. */
export const CHUNK_COPIES = 3;
/** The greatest number of bytes of one memory, whose positions have 32 bits. */
export const MAX_BOX_BYTES = 2 ** 32 - 8;

/** The bytes of a box, and of the largest chunk in transit beside it. */
interface BoxSizes {
  readonly boxBytes: number;
  readonly largest: number;
}

/** Returns the number of bytes left for the box. */
export function boxLimitBeside(maxMem: number, largest: number): number {
  return Math.min(maxMem - CHUNK_COPIES * largest, MAX_BOX_BYTES);
}

/** Returns the total bytes of a box and of the copies of the largest chunk. */
export function bytesOf({ boxBytes, largest }: BoxSizes): number {
  return boxBytes + CHUNK_COPIES * largest;
}

/** Whether a box fits into memory together with the largest chunk. */
export function fits({ boxBytes, largest }: BoxSizes, maxMem: number): boolean {
  return boxBytes <= boxLimitBeside(maxMem, largest) && largest < 2 ** 31;
}

/** Returns the bytes of a range before any item arrives: the places, and the fill value. */
export function placesBytes(range: ChunkRange, { chunk }: Grid, fillBytes: number): number {
  return rangeSize(range) * product(chunk) * PLACE_BYTES + fillBytes;
}

/** Estimates the memory of a range of chunks from the observed sizes. */
export function estimatedSizes(range: ChunkRange, ends: Ends): BoxSizes {
  return sizesOf(range, ends, ends.sizes.meanBytes);
}

/** Returns the least memory of a range, where all items are empty. */
export function leastSizes(range: ChunkRange, ends: Ends): BoxSizes {
  return sizesOf(range, ends, 0);
}

/** Two arrays, and the observed sizes of their items. */
interface Ends {
  readonly source: VariableReader;
  readonly target: VariableWriter;
  readonly sizes: ItemSizes;
}

function sizesOf(range: ChunkRange, { source, target, sizes }: Ends, itemBytes: number): BoxSizes {
  const { writeGrid, fill } = target;
  const chunkItems = product(writeGrid.chunk);
  const largest = (OFFSET_BYTES + itemBytes) * Math.max(chunkItems, product(source.grid.chunk));
  return {
    boxBytes: placesBytes(range, writeGrid, fill.length) +
      rangeSize(range) * chunkItems * itemBytes,
    largest: Math.max(sizes.largest, Math.ceil(largest)),
  };
}

/** Returns the error where one chunk of the target, which takes `needed` bytes, does not fit. */
export function tooLittleForChunk(
  { name, writeGrid }: VariableWriter,
  index: readonly number[],
  { maxMem, needed }: { readonly maxMem: number; readonly needed: number },
): RangeError {
  const start = index.map((place, axis) => place * writeGrid.chunk[axis]!);
  const chunk = `the new chunk at [${start.join(", ")}] of ${name}`;
  if (needed > maxMem && needed <= MAX_BOX_BYTES) {
    return new OptionError(
      optionText`${option("maxMem")} of ${
        sizeText(maxMem)
      } is too little for ${chunk}: raise it to at least ${enoughText(needed)}`,
    );
  }
  return new RangeError(
    `${chunk} takes ${
      sizeText(needed)
    } of memory, but at most 4 GiB can be used: use smaller chunks`,
  );
}
