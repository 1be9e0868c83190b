/**
 * Joins a stream with a build side of which all rows are in one table.
 *
 * @module
 */

import { isSluiceError } from "../../../base/errors/is_sluice_error.ts";
import type { JoinTable, ResultRows } from "../../../gpu/backend.ts";
import type { HostColumn } from "../../../gpu/column/column.ts";
import { DifferenceError } from "../../../base/errors/device_error.ts";
import { isOwnKey } from "../../../gpu/key/key_layout.ts";
import type { Batch } from "../../batch/batch.ts";
import { inFlight } from "../../engine/in_flight.ts";
import type { StageContext } from "../../engine/node.ts";
import { errorOfRow } from "../../engine/stage.ts";
import { type BoundJoin, buildKeyOf, keyOf } from "./bound.ts";
import { limitsOf, outputBatch, resultPlaces, type RowsOf } from "../shared/columns.ts";

/** The rows of the join, in order; `rows` are those of the build side. */
export async function* joinWhole(
  bound: BoundJoin,
  rows: Batch,
  input: AsyncIterable<Batch>,
  context: StageContext,
): AsyncGenerator<Batch, void, void> {
  const table = await tableOf(bound, rows, context);
  try {
    yield* inFlight(
      input,
      context,
      (batch, row) => probe(bound, table, batch, row, context),
      () => table.depth ?? context.backend.depth,
    );
    yield* lastRows(bound, table, context);
  } finally {
    table.release();
  }
}

/** The table of rows of the build side. */
function tableOf(
  bound: BoundJoin,
  rows: Batch,
  { backend }: StageContext,
): Promise<JoinTable> {
  const { spec: { how, nullsEqual }, keyType, payload, lastPayload } = bound;
  const columnsAt = (places: readonly number[]) =>
    places.map((place) => rows.columns[place]!.column as HostColumn);
  return backend.buildTable({
    key: buildKeyOf(bound, rows),
    keyType,
    payload: columnsAt(payload),
    lastPayload: columnsAt(lastPayload),
    how,
    nullsEqual,
  });
}

/** Joins a batch of the stream, which it takes over. */
async function* probe(
  bound: BoundJoin,
  table: JoinTable,
  batch: Batch,
  firstRow: number,
  context: StageContext,
): AsyncGenerator<Batch, void, void> {
  const { columns: { probed }, parts, leftKeys } = bound;
  const { backend } = context;
  const taken = probed.map((index) => batch.columns[index]!.column);
  const keys = leftKeys.map((index) => batch.columns[index]!.column);
  try {
    const [only] = keys;
    const key = only !== undefined && isOwnKey(parts, only.type)
      ? only
      : keyOf(bound, await backend.download(keys), batch.numRows);
    const results = backend.probe(table, key, taken, batch.numRows, limitsOf(backend));
    yield* outputsOfRows(bound, results, "probe", context);
  } catch (error) {
    // Rows of other errors are not those that are probed.
    if (!isSluiceError(error, "DifferenceError")) throw error;
    throw errorOfRow(error, firstRow);
  } finally {
    batch.release();
  }
}

/** The rows that the build side gives by itself, after every batch was probed. */
async function* lastRows(
  bound: BoundJoin,
  table: JoinTable,
  context: StageContext,
): AsyncGenerator<Batch, void, void> {
  yield* outputsOfRows(
    bound,
    context.backend.buildRows(table, limitsOf(context.backend)),
    "last",
    context,
  );
}

async function* outputsOfRows(
  { columns }: BoundJoin,
  results: AsyncIterable<ResultRows>,
  from: RowsOf,
  { backend }: StageContext,
): AsyncGenerator<Batch, void, void> {
  try {
    for await (const rows of results) yield await outputBatch(columns, rows, from, backend);
  } catch (error) {
    if (isSluiceError(error, "DifferenceError")) {
      throw DifferenceError.in(resultPlaces(columns), error);
    }
    throw error;
  }
}
