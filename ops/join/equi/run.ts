/**
 * The run of a join by keys: validated batches of both sides in, batches of the result out.
 *
 * @module
 */

import type { Batch } from "../../batch/batch.ts";
import type { StageContext } from "../../engine/node.ts";
import { limitsOf } from "../shared/output.ts";
import { withSpill } from "../../spill/with_spill.ts";
import type { BoundEqui } from "./bound.ts";
import { joinLarge, shapeOf } from "./large.ts";
import { LargeBuildSide, readBuildSide } from "./large_build_side.ts";
import { SpilledJoin } from "./spilled_join.ts";
import { validatedBuild, validatedProbe } from "./validated.ts";
import { joinWhole } from "./whole.ts";

/** Yields the batches of the join. */
export function runEqui(
  bound: BoundEqui,
  input: AsyncIterable<Batch>,
  context: StageContext,
): AsyncGenerator<Batch, void, void> {
  const { backend, signal } = context;
  return withSpill(context, limitsOf(backend), async (spill) => {
    const { request, spec: { build } } = bound;
    const rows = validatedBuild(bound, build.rows(request, signal));
    const shape = shapeOf(bound);
    const read = await readBuildSide(new SpilledJoin(shape, backend, spill), rows);
    const probe = validatedProbe(bound, input, backend);
    return read instanceof LargeBuildSide
      ? joinLarge(bound, read, probe, backend)
      : joinWhole(bound, shape, read, probe, context);
  });
}
