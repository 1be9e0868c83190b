/**
 * Pipes through a transform of your own: any TransformStream of record batches works, even one made from a
 * generator. This one counts the rows of each batch.
 *
 * @module
 */

import { toTransformStream } from "@std/streams";
import type { RecordBatch, Table } from "apache-arrow";
import { col, filter, fromBatches, regroup, toTable } from "../mod.ts";

/** Keeps the rows with a delay over an hour, and calls `report` with the number of rows of each batch. */
export async function lateFlights(
  flights: Table,
  report: (numRows: number) => void,
): Promise<Table> {
  const counting = toTransformStream(async function* (batches: ReadableStream<RecordBatch>) {
    for await (const batch of batches) {
      report(batch.numRows);
      yield batch;
    }
  });
  return await toTable(
    fromBatches(flights)
      .pipeThrough(filter(col("delay").gt(60)))
      .pipeThrough(regroup({ rows: 2 }))
      .pipeThrough(counting),
  );
}
