/**
 * Some of the columns of a batch.
 *
 * @module
 */

import { makeData, RecordBatch, Schema, Struct } from "apache-arrow";

/** A schema with only the named columns, in the order that they have. */
export function selectFields(schema: Schema, columns: readonly string[]): Schema {
  const wanted = new Set(columns);
  return new Schema(schema.fields.filter(({ name }) => wanted.has(name)), schema.metadata);
}

/**
 * A batch with only the named columns, in the order that they have. apache-arrow's own `select`
 * leaves holes where columns are left out, and so gives empty columns.
 */
export function selectColumns(batch: RecordBatch, columns: readonly string[]): RecordBatch {
  const schema = selectFields(batch.schema, columns);
  const wanted = new Set(schema.fields);
  const children = batch.data.children.filter((_, i) => wanted.has(batch.schema.fields[i]!));
  const type = new Struct(schema.fields);
  const data = makeData({ type, length: batch.numRows, nullCount: 0, children });
  return new RecordBatch(schema, data, batch.metadata);
}
