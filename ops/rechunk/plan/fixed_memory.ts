/**
 * Computes the memory that a run of items of fixed size takes, for all callers.
 *
 * @module
 */

import { OptionError } from "../../../base/errors/option_error.ts";
import { option, optionText } from "../../../base/errors/option_text.ts";
import type { FixedReader, FixedWriter } from "../../../streams/formats/zarr/items/array.ts";
import { enoughText, sizeText } from "../../../base/quantities.ts";
import { boxBytes, type Pass } from "./fixed_pass.ts";

/** The greatest number of bytes in a memory of WebAssembly. */
export const MAX_ARENA_BYTES = 2 ** 32;

/** The arrays of a run, and its limit of bytes. */
export interface MemoryLimits {
  readonly source: FixedReader;
  readonly target: FixedWriter;
  readonly maxMem: number;
}

/** Returns the number of bytes left for boxes and for chunks in transit; may be negative. */
export function boxLimit({ source, target, maxMem }: MemoryLimits): number {
  // Reads and writes alternate, but each side keeps its buffers.
  const scratchBytes = source.scratchBytes + target.scratchBytes;
  return Math.min(maxMem - scratchBytes, MAX_ARENA_BYTES) - source.itemBytes;
}

/** Returns the bytes by which boxes exceed their limit; 0 or less where they fit. */
export function excessBytes(passes: readonly Pass[], limits: MemoryLimits): number {
  return boxBytes(passes) - boxLimit(limits);
}

/** Throws a RangeError if passes do not fit into the memory. */
export function checkMemory(passes: readonly Pass[], limits: MemoryLimits): void {
  const excess = excessBytes(passes, limits);
  if (excess <= 0) return;
  const { source, maxMem } = limits;
  throw new OptionError(
    optionText`${source.name}: the plan takes ${enoughText(maxMem + excess)} of memory, but ${
      option("maxMem")
    } is ${sizeText(maxMem)}`,
  );
}
