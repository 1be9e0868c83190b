/**
 * Sorts rows within the memory of the operator: in memory, or as sorted runs in files that are merged.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import { inspectColumn } from "../../gpu/column/utf8.ts";
import { errorOfRow } from "../engine/stage.ts";
import type { Batch, StageContext } from "../engine/operator_kit.ts";
import { batchOfRows, hostRowsOf } from "../spill/batch_rows.ts";
import { concatRows, type HostRows, rowsBytes } from "../spill/host_rows.ts";
import type { Spill } from "../spill/spill.ts";
import { withSpill } from "../spill/with_spill.ts";
import type { RowOrder } from "./row_order.ts";
import { sortedParts, SortedRuns } from "./sorted_runs.ts";

/** The limits of a batch of the result. */
const LIMITS = { rows: 65_536, bytes: 16 << 20 };

/** Yields the rows of the input in an order. The schema has the columns of the input, keys included. */
export function runSort(
  input: AsyncIterable<Batch>,
  context: StageContext,
  order: RowOrder,
  schema: Schema,
): AsyncGenerator<Batch, void, void> {
  return withSpill(context, LIMITS, (spill) => {
    const places = schema.fields.map((_, index) => index);
    const rows = checkedRows(hostRowsOf(input, places, context.backend), order);
    return batchesOf(sortedRows(rows, order, spill), schema);
  }, "a sort");
}

async function* batchesOf(
  rows: AsyncIterable<HostRows>,
  schema: Schema,
): AsyncGenerator<Batch, void, void> {
  for await (const part of rows) yield batchOfRows(schema, part);
}

/** Yields rows whose keys are valid UTF-8. */
export async function* checkedRows(
  input: AsyncIterable<HostRows>,
  { places }: RowOrder,
): AsyncGenerator<HostRows, void, void> {
  let firstRow = 0;
  for await (const rows of input) {
    try {
      for (const place of places) {
        const column = rows.columns[place]!;
        if (column.type.kind === "string") inspectColumn(column);
      }
    } catch (error) {
      throw errorOfRow(error, firstRow);
    }
    yield rows;
    firstRow += rows.numRows;
  }
}

async function* sortedRows(
  input: AsyncIterable<HostRows>,
  order: RowOrder,
  spill: Spill,
): AsyncGenerator<HostRows, void, void> {
  const runs = new SortedRuns(spill, order);
  // Rows are in memory as batches, put together, and once more as sorted parts.
  const most = spill.memory / 4;
  const buffered: HostRows[] = [];
  let numBytes = 0;
  for await (const rows of input) {
    spill.checkSignal();
    if (rows.numRows === 0) continue;
    buffered.push(rows);
    numBytes += rowsBytes(rows);
    if (numBytes <= most) continue;
    runs.add(concatRows(buffered.splice(0)));
    numBytes = 0;
  }
  if (runs.count === 0) {
    if (buffered.length > 0) yield* sortedParts(concatRows(buffered), order, LIMITS.rows);
    return;
  }
  if (buffered.length > 0) runs.add(concatRows(buffered.splice(0)));
  yield* runs.merged();
}
