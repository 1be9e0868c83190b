/**
 * Chooses the boxes of a run in order, each as large as is likely to fit into memory.
 *
 * @module
 */

import { type ChunkRange, rangeSize } from "../../../streams/formats/zarr/grid/grid.ts";
import type { VariableReader, VariableWriter } from "../../../streams/formats/zarr/items/array.ts";
import { cutRange } from "./chunk_range.ts";
import { boxLimitBeside, estimatedSizes } from "./variable_memory.ts";
import type { ItemSizes } from "./item_sizes.ts";

/** Two arrays, the observed sizes of their items, and the limit of memory. */
export interface VariableEnds {
  readonly source: VariableReader;
  readonly target: VariableWriter;
  readonly sizes: ItemSizes;
  readonly maxMem: number;
}

/** The share of the estimate that is used, since items differ in size. */
const TRIED_PART = 0.8;

/**
 * Takes the next box from the end of `ranges` and puts its rest back. A single chunk is returned
 * whether it is likely to fit or not. Undefined where no chunks are left.
 */
export function nextRange(ranges: ChunkRange[], ends: VariableEnds): ChunkRange | undefined {
  for (let range = ranges.pop(); range !== undefined; range = ranges.pop()) {
    const size = rangeSize(range);
    if (size === 0) continue;
    const { boxBytes, largest } = estimatedSizes(range, ends);
    const share = TRIED_PART * boxLimitBeside(ends.maxMem, largest) / boxBytes;
    if (size === 1 || share >= 1) return range;
    pushParts(ranges, range, share, ends);
  }
  return undefined;
}

/** Pushes the two parts of a range so that the first is taken next. */
export function pushParts(
  ranges: ChunkRange[],
  range: ChunkRange,
  share: number,
  { source, target }: VariableEnds,
): void {
  const grids = { grid: target.writeGrid, source: source.grid };
  const [first, second] = cutRange(range, { share, ...grids });
  ranges.push(second, first);
}
