/**
 * Converts batches to rows on the host, and back.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import type { Backend } from "../../gpu/backend.ts";
import { Batch } from "../batch/batch.ts";
import { BatchColumn } from "../batch/batch_column.ts";
import type { HostRows } from "./host_rows.ts";

/** Yields the columns at `places` of batches, and takes ownership of the batches. */
export async function* hostRowsOf(
  batches: AsyncIterable<Batch>,
  places: readonly number[],
  backend: Backend,
): AsyncGenerator<HostRows, void, void> {
  for await (const batch of batches) {
    try {
      const columns = places.map((place) => batch.columns[place]!.column);
      yield { columns: await backend.download(columns), numRows: batch.numRows };
    } finally {
      batch.release();
    }
  }
}

/** Returns rows as a batch of a schema. */
export function batchOfRows(schema: Schema, { columns, numRows }: HostRows): Batch {
  const batchColumns = columns.map((column, index) =>
    BatchColumn.fromColumn(schema.fields[index]!.type, column)
  );
  return new Batch(schema, numRows, batchColumns);
}
