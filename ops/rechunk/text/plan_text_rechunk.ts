/**
 * Says what a run over an array of text is likely to do, by the sizes of some of its chunks.
 *
 * @module
 */

import { boxShape, product } from "../../../streams/chunks/grid.ts";
import { sizeText } from "../plan/limits.ts";
import { planSeconds } from "../plan/plan_cost.ts";
import type { RechunkPlan } from "../plan/rechunk_plan.ts";
import { chunksIn, rangeBox, rangeSize, wholeRange } from "./chunk_range.ts";
import { nextRange, type TextEnds } from "./next_range.ts";
import { bytesOf, estimatedSizes, leastSizes } from "./text_memory.ts";
import { OFFSET_BYTES } from "./text_sizes.ts";

/** What is expected of a run. */
export interface TextPlan {
  /** One direct pass: `direct` is the first box. Bytes are estimated. */
  readonly plan: RechunkPlan;
  /** Mean bytes of an item with its offset, rounded up. */
  readonly itemBytes: number;
}

/**
 * The boxes that `runTextRechunk` would take if all items were as large as those that were seen. Throws
 * a RangeError where not even one chunk of empty items fits, or one of the chunks that were read.
 */
export function planTextRechunk(ends: TextEnds): TextPlan {
  const { source, target, sizes, maxMem } = ends;
  const { grid } = source;
  const itemBytes = OFFSET_BYTES + Math.ceil(sizes.meanBytes);
  const ranges = [wholeRange(target.writeGrid)];
  if (rangeSize(ranges[0]!) > 0) checkMemory(ends);
  let [direct, reads, writes] = [target.writeGrid.chunk, 0, 0];
  for (let range = nextRange(ranges, ends); range !== undefined; range = nextRange(ranges, ends)) {
    const box = rangeBox(target.writeGrid, range);
    if (writes === 0) direct = boxShape(box);
    reads += chunksIn(grid, box);
    writes += rangeSize(range);
  }
  const [chunkBytes, arrayBytes] = [grid.chunk, grid.shape].map((shape) =>
    product(shape) * itemBytes
  );
  const bytes = reads * chunkBytes! + arrayBytes!;
  const cost = planSeconds(reads + writes, bytes);
  const peakMemory = Math.min(maxMem, product(direct) * itemBytes);
  const plan = { stages: [], direct, reads, writes, bytes, lowerBound: 0, peakMemory, cost };
  return { plan, itemBytes };
}

function checkMemory(ends: TextEnds): void {
  const { source, maxMem } = ends;
  const one = { first: source.grid.shape.map(() => 0), end: source.grid.shape.map(() => 1) };
  if (bytesOf(leastSizes(one, ends)) <= maxMem) return;
  const likely = Math.ceil(bytesOf(estimatedSizes(one, ends)));
  throw new RangeError(
    `${source.name}: maxMem of ${sizeText(maxMem)} is too little for its chunks: ` +
      `raise it to about ${likely} bytes`,
  );
}
