/**
 * The rows of both sides of a join by keys, checked as they pass where their keys must be unique.
 *
 * @module
 */

import type { Backend } from "../../../gpu/backend.ts";
import type { Batch } from "../../batch/batch.ts";
import { printKey } from "../../rows/keys.ts";
import type { HostRows } from "../../spill/host_rows.ts";
import { type BoundEqui, keyOf } from "./bound.ts";
import { mustBeUnique, UniqueKeys } from "./unique_keys.ts";

/** Returns the batches of the stream. */
export function validatedProbe(
  bound: BoundEqui,
  input: AsyncIterable<Batch>,
  backend: Backend,
): AsyncIterable<Batch> {
  const unique = uniqueKeysOf(bound, "left");
  return unique === undefined ? input : checkedBatches(bound, unique, input, backend);
}

async function* checkedBatches(
  bound: BoundEqui,
  unique: UniqueKeys,
  input: AsyncIterable<Batch>,
  backend: Backend,
): AsyncGenerator<Batch, void, void> {
  for await (const batch of input) {
    try {
      const columns = bound.left.places.map((place) => batch.columns[place]!.column);
      const keys = await backend.download(columns);
      unique.add(keyOf(bound, keys, batch.numRows), keys);
    } catch (error) {
      batch.release();
      throw error;
    }
    yield batch;
  }
}

/** Returns the rows of the build side. */
export function validatedBuild(
  bound: BoundEqui,
  input: AsyncIterable<HostRows>,
): AsyncIterable<HostRows> {
  const unique = uniqueKeysOf(bound, "right");
  return unique === undefined ? input : checkedRows(bound, unique, input);
}

async function* checkedRows(
  bound: BoundEqui,
  unique: UniqueKeys,
  input: AsyncIterable<HostRows>,
): AsyncGenerator<HostRows, void, void> {
  for await (const rows of input) {
    const keys = bound.right.places.map((place) => rows.columns[place]!);
    unique.add(keyOf(bound, keys, rows.numRows), keys);
    yield rows;
  }
}

/** Returns the set of keys of a side; undefined if they may repeat. */
function uniqueKeysOf(bound: BoundEqui, side: "left" | "right"): UniqueKeys | undefined {
  const { validate, keys, nullsEqual } = bound.spec;
  if (!mustBeUnique(validate, side)) return undefined;
  const shown = keys.map((pair, index) => ({
    name: printKey(pair[side]),
    type: bound[side].types[index]!,
  }));
  return new UniqueKeys(side, shown, bound.keyType, nullsEqual);
}
