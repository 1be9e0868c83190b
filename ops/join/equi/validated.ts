/**
 * The batches of both sides of a join, whose keys are looked at where they have to be unique.
 *
 * @module
 */

import type { Batch } from "../../batch/batch.ts";
import { BatchColumn } from "../../batch/batch_column.ts";
import type { StageContext } from "../../engine/node.ts";
import { type BoundJoin, buildKeyOf, keyOf } from "./bound.ts";
import { printKey } from "../shared/keys.ts";
import { mustBeUnique, UniqueKeys } from "./unique_keys.ts";

/** The batches of the stream. */
export async function* validatedProbe(
  bound: BoundJoin,
  input: AsyncIterable<Batch>,
  { backend }: StageContext,
): AsyncGenerator<Batch, void, void> {
  const { validate, keys, nullsEqual } = bound.spec;
  if (!mustBeUnique(validate, "left")) return yield* input;
  const names = keys.map(({ left }) => printKey(left));
  const unique = new UniqueKeys("left", names, bound.keyType, nullsEqual);
  for await (const batch of input) {
    try {
      const columns = bound.leftKeys.map((place) => batch.columns[place]!);
      const keys = await backend.download(columns.map(({ column }) => column));
      const onHost = keys.map((key, index) => BatchColumn.fromColumn(columns[index]!.type, key));
      unique.add(keyOf(bound, keys, batch.numRows), onHost);
    } catch (error) {
      batch.release();
      throw error;
    }
    yield batch;
  }
}

/** The batches of the build side, on the host. */
export async function* validatedBuild(
  bound: BoundJoin,
  batches: AsyncIterable<Batch>,
): AsyncGenerator<Batch, void, void> {
  const { validate, keys, nullsEqual } = bound.spec;
  if (!mustBeUnique(validate, "right")) return yield* batches;
  const names = keys.map(({ right }) => printKey(right));
  const unique = new UniqueKeys("right", names, bound.keyType, nullsEqual);
  for await (const batch of batches) {
    unique.add(buildKeyOf(bound, batch), bound.rightKeys.map((place) => batch.columns[place]!));
    yield batch;
  }
}
