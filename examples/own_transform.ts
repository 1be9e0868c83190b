/**
 * A transform of one's own between Sluice's: any TransformStream of record batches will do. Here it
 * counts the rows of each batch on their way.
 *
 * @module
 */

import type { RecordBatch, Table } from "apache-arrow";
import { col, filter, fromBatches, regroup, toTable } from "../mod.ts";

/** Keeps the rows with a delay over an hour, and tells `report` how many each batch has. */
export async function lateFlights(
  flights: Table,
  report: (numRows: number) => void,
): Promise<Table> {
  const counting = new TransformStream<RecordBatch, RecordBatch>({
    transform(batch, controller) {
      report(batch.numRows);
      controller.enqueue(batch);
    },
  });
  return await toTable(
    fromBatches(flights)
      .pipeThrough(filter(col("delay").gt(60)))
      .pipeThrough(regroup({ rows: 2 }))
      .pipeThrough(counting),
  );
}
