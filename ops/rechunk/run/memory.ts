/**
 * How much memory a run takes: the arithmetic in one place.
 *
 * @module
 */

import type { ZarrReader, ZarrWriter } from "../../../streams/zarr/zarr_array.ts";
import { MAX_ARENA_BYTES } from "./arena.ts";
import { boxBytes, type Pass } from "./pass.ts";

/** The arrays of a run, as far as they take memory. */
interface Ends {
  readonly source: ZarrReader;
  readonly target: ZarrWriter;
}

/**
 * Bytes that codecs take beside the boxes. Reading and writing take turns; the pages that boxes have
 * touched stay.
 */
export function scratchBytes({ source, target }: Ends): number {
  return Math.max(source.scratchBytes, target.scratchBytes);
}

/** Bytes that passes take: the boxes of the largest, one item of fill values, and what codecs take. */
export function memoryOf(passes: readonly Pass[], ends: Ends): number {
  return boxBytes(passes) + ends.source.itemBytes + scratchBytes(ends);
}

/** Throws a RangeError if passes take more than `maxMem` bytes. */
export function checkMemory(
  passes: readonly Pass[],
  { maxMem, ...ends }: Ends & { readonly maxMem: number },
): void {
  const bytes = memoryOf(passes, ends);
  const most = Math.min(maxMem, MAX_ARENA_BYTES);
  if (bytes <= most) return;
  throw new RangeError(
    `${ends.source.name}: rechunking by this plan takes ${bytes} bytes of memory, and there are ${most}`,
  );
}
