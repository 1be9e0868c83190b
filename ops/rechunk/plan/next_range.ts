/**
 * The boxes of a run, one after the other: each as large as is likely to fit into memory.
 *
 * @module
 */

import { type ChunkRange, rangeSize } from "../../../streams/formats/zarr/grid/grid.ts";
import type { VariableReader, VariableWriter } from "../../../streams/formats/zarr/items/array.ts";
import { cutRange } from "./chunk_range.ts";
import { estimatedSizes, heldLimit } from "./variable_memory.ts";
import type { ItemSizes } from "./item_sizes.ts";

/** Two arrays, what is known of their items, and the memory. */
export interface VariableEnds {
  readonly source: VariableReader;
  readonly target: VariableWriter;
  readonly sizes: ItemSizes;
  readonly maxMem: number;
}

/** Of what is estimated to fit, the part that is tried: items are not all of mean size. */
const TRIED_PART = 0.8;

/**
 * Takes the next box off the end of `ranges`, where what is left of it goes. One chunk alone comes
 * whether it is likely to fit or not. Undefined where no chunks are left.
 */
export function nextRange(ranges: ChunkRange[], ends: VariableEnds): ChunkRange | undefined {
  for (let range = ranges.pop(); range !== undefined; range = ranges.pop()) {
    const size = rangeSize(range);
    if (size === 0) continue;
    const { held, largest } = estimatedSizes(range, ends);
    const share = TRIED_PART * heldLimit(ends.maxMem, largest) / held;
    if (size === 1 || share >= 1) return range;
    pushParts(ranges, range, share, ends);
  }
  return undefined;
}

/** Puts the two parts of a range on the end of others, so that the first comes first. */
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
