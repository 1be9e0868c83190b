/** @module */

import { makeData, RecordBatch, type Schema, Struct } from "apache-arrow";
import { withOffsets } from "./with_offsets.ts";

/** The batch with a schema that differs in the width of offsets alone. */
export function withSchema(batch: RecordBatch, schema: Schema): RecordBatch {
  const { length, children } = batch.data;
  const columns = children.map((data, index) => withOffsets(data, schema.fields[index]!.type));
  const type = new Struct(schema.fields);
  const data = makeData({ type, length, nullCount: 0, children: columns });
  return new RecordBatch(schema, data, batch.metadata);
}
