/**
 * Joins a stream with a build side that exceeds memory.
 *
 * @module
 */

import type { Batch } from "../../batch/batch.ts";
import type { StageContext } from "../../engine/node.ts";
import { type BoundJoin, keyOf } from "./bound.ts";
import { outputBatch } from "../shared/columns.ts";
import { hostRowsOf } from "../../spill/batch_rows.ts";
import type { HostRows } from "../../spill/host_rows.ts";
import type { LargeBuildSide } from "./large_build_side.ts";
import type { JoinShape } from "./spilled_join.ts";

/** Joins the stream with a build side that exceeds memory. */
export async function* joinLarge(
  bound: BoundJoin,
  build: LargeBuildSide,
  input: AsyncIterable<Batch>,
  { backend }: StageContext,
): AsyncGenerator<Batch, void, void> {
  const probed = hostRowsOf(input, probePlaces(bound), backend);
  for await (const { side, columns, numRows } of build.joined(probed)) {
    const from = side === "probe" ? "probe" : "last";
    yield await outputBatch(bound.columns, { columns, numRows }, from, backend);
  }
}

/** The columns of the stream that a join reads. */
function probePlaces({ leftKeys, columns: { probed } }: BoundJoin): number[] {
  return [...new Set([...leftKeys, ...probed])];
}

/** What is joined, by places in the columns that are read of each side. */
export function shapeOf(bound: BoundJoin): JoinShape {
  const { spec: { how, order, nullsEqual }, keyType, rightKeys, leftKeys, columns } = bound;
  const { payload, lastPayload } = bound;
  const probePlace = new Map(probePlaces(bound).map((place, index) => [place, index]));
  const inProbe = (places: readonly number[]) => places.map((place) => probePlace.get(place)!);
  const keyAt = (places: readonly number[]) => (rows: HostRows) =>
    keyOf(bound, places.map((place) => rows.columns[place]!), rows.numRows);
  return {
    ...{ how, order, keyType, nullsEqual },
    build: { keyOf: keyAt(rightKeys), payload, lastPayload },
    probe: { keyOf: keyAt(inProbe(leftKeys)), output: inProbe(columns.probed) },
  };
}
