/**
 * Runs a plan of rechunking over an array of either kind of items.
 *
 * @module
 */

import { product } from "../../../streams/formats/zarr/grid/grid.ts";
import { isFixed } from "../../../streams/formats/zarr/items/array.ts";
import { OFFSET_BYTES } from "../plan/item_sizes.ts";
import { sampleSizes } from "../plan/sample_sizes.ts";
import type { RechunkRun } from "./rechunk_run.ts";

/**
 * Moves the items of an array to the chunks of another: pass by pass, and box by box within a pass.
 * Chunks whose items are all missing stay missing, unless `writesMissing`, and padding becomes fill
 * values.
 *
 * Throws a RangeError for a plan that does not fit the arrays or the memory, a FileError for files,
 * and the reason of `signal`, within the time of a chunk. After each of these, all chunks on disk are
 * complete, and a run of the same arrays and plan with `resume` continues from them.
 */
export async function runRechunk(run: RechunkRun): Promise<void> {
  const { source, target } = run;
  if (isFixed(source) && isFixed(target)) {
    const { runFixed } = await import("./run_fixed.ts");
    return await runFixed({ ...run, source, target });
  }
  if (isFixed(source) || isFixed(target)) {
    throw new RangeError(`${target.name}: has items of another kind than ${source.name}`);
  }
  const { runVariable } = await import("./run_variable.ts");
  const sizes = run.sizes ?? await sampleSizes(source, run.maxMem);
  const { onProgress, ...others } = run;
  const numStages = run.plan.stages.length + 1;
  // The total is an estimate, from the items seen so far.
  const itemBytes = OFFSET_BYTES + sizes.meanBytes;
  const totalBytes = Math.ceil(2 * numStages * product(source.grid.shape) * itemBytes);
  await runVariable({
    ...{ ...others, source, target, sizes },
    onProgress: (share) =>
      onProgress?.({
        stage: Math.min(numStages, 1 + Math.floor(share * numStages)),
        numStages,
        bytes: Math.round(share * totalBytes),
        totalBytes,
      }),
  });
}
