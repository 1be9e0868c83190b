/**
 * How much memory a run takes: the arithmetic in one place.
 *
 * @module
 */

import { OptionError } from "../../../base/errors/option_error.ts";
import { option, optionText } from "../../../base/errors/option_text.ts";
import type { FixedReader, FixedWriter } from "../../../streams/formats/zarr/items/array.ts";
import { enoughText, sizeText } from "../../../base/quantities.ts";
import { boxBytes, type Pass } from "./fixed_pass.ts";

/** Bytes that a memory of WebAssembly has at most. */
export const MAX_ARENA_BYTES = 2 ** 32;

/** The arrays of a run, and the bytes that it may take. */
export interface MemoryLimits {
  readonly source: FixedReader;
  readonly target: FixedWriter;
  readonly maxMem: number;
}

/** Bytes that are left for boxes, and for chunks that come and go; below 0 where none are. */
export function boxLimit({ source, target, maxMem }: MemoryLimits): number {
  // Reading and writing take turns, but both keep their buffers.
  const scratchBytes = source.scratchBytes + target.scratchBytes;
  return Math.min(maxMem - scratchBytes, MAX_ARENA_BYTES) - source.itemBytes;
}

/** Bytes by which boxes exceed what there is for them; 0 or less where they do not. */
export function excessBytes(passes: readonly Pass[], limits: MemoryLimits): number {
  return boxBytes(passes) - boxLimit(limits);
}

/** Throws a RangeError if there is too little memory for passes. */
export function checkMemory(passes: readonly Pass[], limits: MemoryLimits): void {
  const excess = excessBytes(passes, limits);
  if (excess <= 0) return;
  const { source, maxMem } = limits;
  throw new OptionError(
    optionText`${source.name}: the plan takes ${enoughText(maxMem + excess)} of memory, and ${
      option("maxMem")
    } is ${sizeText(maxMem)}`,
  );
}
