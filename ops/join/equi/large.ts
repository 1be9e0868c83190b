/**
 * Joins a stream by keys with a build side that exceeds memory.
 *
 * @module
 */

import type { Backend } from "../../../gpu/backend.ts";
import type { Batch } from "../../batch/batch.ts";
import { hostRowsOf } from "../../spill/batch_rows.ts";
import type { HostRows } from "../../spill/host_rows.ts";
import { outputBatches } from "../shared/output.ts";
import { type BoundEqui, keyOf } from "./bound.ts";
import type { LargeBuildSide } from "./large_build_side.ts";
import type { JoinShape } from "./spilled_join.ts";

/** Yields the batches of the join. */
export function joinLarge(
  bound: BoundEqui,
  build: LargeBuildSide,
  input: AsyncIterable<Batch>,
  backend: Backend,
): AsyncGenerator<Batch, void, void> {
  const probe = hostRowsOf(input, probePlaces(bound), backend);
  return outputBatches(bound.columns, build.joined(probe), backend);
}

/** Returns the places of the columns of the stream that a join reads. */
function probePlaces({ left, columns: { probed } }: BoundEqui): number[] {
  return [...new Set([...left.places, ...probed])];
}

/** Returns the shape of a join, as places in the columns that it reads of each side. */
export function shapeOf(bound: BoundEqui): JoinShape {
  const { spec: { how, order, nullsEqual }, keyType, left, right, columns } = bound;
  const { payload, buildOnlyPayload } = bound;
  const probePlace = new Map(probePlaces(bound).map((place, index) => [place, index]));
  const inProbe = (places: readonly number[]) => places.map((place) => probePlace.get(place)!);
  const keyAt = (places: readonly number[]) => (rows: HostRows) =>
    keyOf(bound, places.map((place) => rows.columns[place]!), rows.numRows);
  return {
    ...{ how, order, keyType, nullsEqual },
    build: { keyOf: keyAt(right.places), payload, buildOnlyPayload },
    probe: { keyOf: keyAt(inProbe(left.places)), output: inProbe(columns.probed) },
  };
}
