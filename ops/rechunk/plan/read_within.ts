/**
 * Reads chunks of variable items, whose size is unknown until they are decoded, within the memory left.
 *
 * @module
 */

import { OptionError } from "../../../base/errors/option_error.ts";
import { option, optionText } from "../../../base/errors/option_text.ts";
import { isSluiceError } from "../../../base/errors/is_sluice_error.ts";
import type { FileError } from "../../../base/errors/file_error.ts";
import type { VariableItems, VariableReader } from "../../../streams/formats/zarr/items/array.ts";
import { sizeText } from "../../../base/quantities.ts";
import { CHUNK_COPIES } from "./variable_memory.ts";

/** The result for a chunk that does not fit. */
export const TOO_LARGE = Symbol("too large");

/**
 * Reads a chunk that may take `maxMem` bytes while it is decoded, when memory holds several copies of
 * its items. Returns `TOO_LARGE` as soon as the chunk proves larger, before it allocates the memory.
 */
export async function readIfFits(
  source: VariableReader,
  index: readonly number[],
  maxMem: number,
): Promise<VariableItems | undefined | typeof TOO_LARGE> {
  try {
    return await source.readChunk(index, mostChunkBytes(maxMem));
  } catch (error) {
    if (isTooLarge(error)) return TOO_LARGE;
    throw error;
  }
}

/** Reads a chunk with all the memory of a run. Throws a RangeError that names a chunk that does not fit. */
export async function readWithin(
  source: VariableReader,
  index: readonly number[],
  maxMem: number,
): Promise<VariableItems | undefined> {
  try {
    return await source.readChunk(index, mostChunkBytes(maxMem));
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    const problem = error.message.slice(error.file.length + 2);
    const most = option("maxMem");
    throw new OptionError(
      optionText`${source.name}: ${most} of ${
        sizeText(maxMem)
      } is too little for its chunk ${error.file}, which ${problem}: a chunk may take a third of ${most}`,
      { cause: error },
    );
  }
}

/** Returns the bytes of items with their offsets that fit into memory while they are decoded. */
export function mostChunkBytes(maxMem: number): number {
  return Math.max(0, Math.floor(maxMem / CHUNK_COPIES));
}

function isTooLarge(error: unknown): error is FileError {
  return isSluiceError(error, "FileError") && isSluiceError(error.cause, "TooLargeError");
}
