/**
 * Predicts the course of a run over an array of variable items, by the sizes of some of its chunks.
 *
 * @module
 */

import { OptionError } from "../../../base/errors/option_error.ts";
import { option, optionText } from "../../../base/errors/option_text.ts";
import { boxShape, product, rangeBox, rangeSize } from "../../../streams/formats/zarr/grid/grid.ts";
import { enoughText, sizeText } from "../../../base/quantities.ts";
import { planRechunk } from "./plan_rechunk.ts";
import { planSeconds } from "./plan_cost.ts";
import type { RechunkPlan } from "./rechunk_plan.ts";
import { chunksIn, wholeRange } from "./chunk_range.ts";
import { nextRange, type VariableEnds } from "./next_range.ts";
import { boxLimitBeside, bytesOf, estimatedSizes, leastSizes } from "./variable_memory.ts";
import { OFFSET_BYTES, PLACE_BYTES } from "./item_sizes.ts";

/** The expected course of a run. */
interface VariablePlan {
  /** The plan, whose bytes are estimates. Without stages, `direct` is the first box. */
  readonly plan: RechunkPlan;
  /** The mean bytes of an item with its offset, rounded up. */
  readonly itemBytes: number;
}

/** Two arrays, and limits like those of `PlanRechunkOptions`. */
interface VariablePlanEnds extends VariableEnds {
  readonly minMem?: number | undefined;
  readonly stages?: number | undefined;
}

/**
 * Returns a plan for items of the observed sizes: that of `planRechunk`, where intermediate stores pay
 * off or `stages` asks for them, else the boxes that `moveVariable` takes. Throws a RangeError if
 * not even one chunk of empty items fits, or where a chunk of likely size is far too large, and for
 * stages that no plan has.
 */
export function planVariable(ends: VariablePlanEnds): VariablePlan {
  const itemBytes = OFFSET_BYTES + Math.ceil(ends.sizes.meanBytes);
  if (!ends.source.grid.shape.includes(0)) checkMemory(ends);
  const direct = directPlan(ends, itemBytes);
  const stored = planWithStores(ends, itemBytes);
  const isDirect = stored === undefined || ends.stages === undefined && direct.cost <= stored.cost;
  return { plan: isDirect ? direct : stored, itemBytes };
}

/** Returns the plan with the boxes of one pass. */
function directPlan(ends: VariableEnds, itemBytes: number): RechunkPlan {
  const { source: { grid }, target, maxMem } = ends;
  const ranges = [wholeRange(target.writeGrid)];
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
  return { stages: [], direct, reads, writes, bytes, lowerBound: 0, peakMemory, cost };
}

/** The share of the memory for a box that passes through stores, whose chunks lie beside it. */
const BOX_PART = 0.4;

/** Returns the plan for items of one size, if it has intermediate stores; else undefined. */
function planWithStores(ends: VariablePlanEnds, itemBytes: number): RechunkPlan | undefined {
  const { source, target, sizes, maxMem, stages, minMem } = ends;
  if (stages === 0) return undefined;
  const [{ shape, chunk }, chunkItems] = [source.grid, product(target.writeGrid.chunk)];
  const largest = Math.max(sizes.largest, chunkItems * itemBytes);
  // An item takes more bytes in a box than in a file.
  const boxItems = BOX_PART * boxLimitBeside(maxMem, largest) /
    (itemBytes - OFFSET_BYTES + PLACE_BYTES);
  const limits = {
    maxMem: Math.floor(Math.max(boxItems, product(chunk), chunkItems) * itemBytes),
    ...(minMem === undefined ? {} : { minMem }),
    ...(stages === undefined ? {} : { stages }),
  };
  try {
    const ends = { shape, itemsize: itemBytes, source: chunk, target: target.writeGrid.chunk };
    const plan = planRechunk({ ...ends, ...limits });
    return plan.stages.length === 0 ? undefined : plan;
  } catch (error) {
    if (error instanceof RangeError && stages === undefined) return undefined;
    throw error;
  }
}

/** The share of the likely need below which an attempt is pointless. */
const SURE_PART = 0.8;

function checkMemory(ends: VariableEnds): void {
  const { source, maxMem } = ends;
  const one = { first: source.grid.shape.map(() => 0), end: source.grid.shape.map(() => 1) };
  const likely = Math.ceil(bytesOf(estimatedSizes(one, ends)));
  if (Math.max(bytesOf(leastSizes(one, ends)), SURE_PART * likely) <= maxMem) return;
  throw new OptionError(
    optionText`${source.name}: ${option("maxMem")} of ${
      sizeText(maxMem)
    } is too little for its chunks: raise it to about ${enoughText(likely)}`,
  );
}
