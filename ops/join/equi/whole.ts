/**
 * Joins a stream by keys with a build side whose rows are all in one table.
 *
 * @module
 */

import { isSluiceError } from "../../../base/errors/is_sluice_error.ts";
import type { JoinTable, ResultRows } from "../../../gpu/backend.ts";
import { DifferenceError } from "../../../base/errors/device_error.ts";
import { isOwnKey } from "../../../gpu/key/key_layout.ts";
import type { Batch } from "../../batch/batch.ts";
import { inFlight } from "../../engine/in_flight.ts";
import type { StageContext } from "../../engine/node.ts";
import { errorOfRow } from "../../engine/stage.ts";
import type { HostRows } from "../../spill/host_rows.ts";
import { limitsOf, outputBatch, resultPlaces } from "../shared/output.ts";
import type { JoinedRows } from "../shared/restore_order.ts";
import { type BoundEqui, keyOf } from "./bound.ts";
import type { JoinShape } from "./spilled_join.ts";
import { makeTable } from "./tables.ts";

/** Yields the batches of the join, in order; `rows` are those of the build side. */
export async function* joinWhole(
  bound: BoundEqui,
  shape: JoinShape,
  rows: HostRows,
  input: AsyncIterable<Batch>,
  context: StageContext,
): AsyncGenerator<Batch, void, void> {
  const { backend } = context;
  const table = await makeTable({ shape, numbersBuild: false, backend }, rows);
  try {
    yield* inFlight(
      input,
      context,
      (batch, row) => probe(bound, table, batch, row, context),
      () => table.depth ?? backend.depth,
    );
    const buildOnly = backend.buildOnlyRows(table, limitsOf(backend));
    yield* outputsOf(bound, buildOnly, "build", context);
  } finally {
    table.release();
  }
}

/** Joins a batch of the stream, and takes ownership of it. */
async function* probe(
  bound: BoundEqui,
  table: JoinTable,
  batch: Batch,
  firstRow: number,
  context: StageContext,
): AsyncGenerator<Batch, void, void> {
  const { columns: { probed }, parts, left } = bound;
  const { backend } = context;
  const taken = probed.map((index) => batch.columns[index]!.column);
  const keys = left.places.map((index) => batch.columns[index]!.column);
  try {
    const [only] = keys;
    const key = only !== undefined && isOwnKey(parts, only.type)
      ? only
      : keyOf(bound, await backend.download(keys), batch.numRows);
    const results = backend.probe(table, key, taken, batch.numRows, limitsOf(backend));
    yield* outputsOf(bound, results, "probe", context);
  } catch (error) {
    // Other errors do not name rows of the batch.
    if (!isSluiceError(error, "DifferenceError")) throw error;
    throw errorOfRow(error, firstRow);
  } finally {
    batch.release();
  }
}

async function* outputsOf(
  { columns }: BoundEqui,
  results: AsyncIterable<ResultRows>,
  side: JoinedRows["side"],
  { backend }: StageContext,
): AsyncGenerator<Batch, void, void> {
  try {
    for await (const rows of results) yield await outputBatch(columns, rows, side, backend);
  } catch (error) {
    if (isSluiceError(error, "DifferenceError")) {
      throw DifferenceError.in(resultPlaces(columns), error);
    }
    throw error;
  }
}
