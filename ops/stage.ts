/**
 * Stages of the two common shapes.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import { OverflowError } from "../gpu/errors.ts";
import type { Batch } from "./batch.ts";
import { inFlight } from "./in_flight.ts";
import type { Stage, StageContext } from "./node.ts";

/** A stage that turns each batch into one without waiting for anything. */
export function mapStage(
  schema: Schema,
  map: (batch: Batch) => Batch,
  explain: readonly string[] = [],
): Stage {
  return {
    schema,
    explain: () => explain,
    async *run(input) {
      for await (const batch of input) {
        const result = map(batch);
        batch.release();
        yield result;
      }
    },
  };
}

/**
 * A stage that computes each batch by itself on the backend. Where the text of a result would not
 * fit 32-bit offsets, the rows are halved and computed again; one row that does not fit is the
 * error.
 */
export function computeStage(
  schema: Schema,
  compute: (batch: Batch, context: StageContext) => Promise<Batch>,
  explain: readonly string[] = [],
): Stage {
  return {
    schema,
    explain: () => explain,
    run: (input, context) => inFlight(input, context, (batch) => halving(batch, context, compute)),
  };
}

async function* halving(
  batch: Batch,
  context: StageContext,
  compute: (batch: Batch, context: StageContext) => Promise<Batch>,
): AsyncGenerator<Batch, void, void> {
  let result: Batch;
  try {
    result = await compute(batch, context);
  } catch (error) {
    if (!(error instanceof OverflowError) || batch.numRows <= 1) {
      batch.release();
      throw error;
    }
    await batch.toHost(context.backend);
    const middle = batch.numRows >> 1;
    yield* halving(batch.slice(0, middle), context, compute);
    yield* halving(batch.slice(middle, batch.numRows), context, compute);
    batch.release();
    return;
  }
  batch.release();
  yield result;
}
