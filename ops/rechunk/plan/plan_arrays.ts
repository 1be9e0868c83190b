/**
 * Makes plans for given arrays of either kind of items.
 *
 * @module
 */

import { isFixed } from "../../../streams/formats/zarr/items/array.ts";
import type { ItemSizes } from "./item_sizes.ts";
import type { ArrayPlanOptions } from "./limits.ts";
import type { RechunkPlan } from "./rechunk_plan.ts";

/** A plan, and the sizes that it is based on. */
interface ArrayPlan {
  readonly plan: RechunkPlan;
  /** The bytes of an item; for variable items the mean, with the offset. */
  readonly itemBytes: number;
  /** The sizes of variable items in some chunks, which were read for the plan. */
  readonly sizes?: ItemSizes;
}

/** Makes a plan that `runRechunk` can run. Throws a RangeError if there is none. */
export async function planArrays(options: ArrayPlanOptions): Promise<ArrayPlan> {
  const { source, target } = options;
  if (isFixed(source) && isFixed(target)) {
    const { planFixed } = await import("./plan_fixed.ts");
    return { plan: planFixed({ ...options, source, target }), itemBytes: source.itemBytes };
  }
  if (isFixed(source) || isFixed(target)) {
    throw new RangeError(`${target.name}: has items of another kind than ${source.name}`);
  }
  const [{ planVariable }, { sampleSizes }] = await Promise.all([
    import("./plan_variable.ts"),
    import("./sample_sizes.ts"),
  ]);
  const sizes = await sampleSizes(source, options.maxMem);
  return { ...planVariable({ ...options, source, target, sizes }), sizes };
}
