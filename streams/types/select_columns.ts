/**
 * Parts of a batch: some of its columns, or a range of its rows.
 *
 * @module
 */

import { makeData, RecordBatch, Schema, Struct } from "apache-arrow";

/** Returns a schema with only the named columns, in their original order. */
export function selectFields(schema: Schema, columns: readonly string[]): Schema {
  const wanted = new Set(columns);
  return new Schema(schema.fields.filter(({ name }) => wanted.has(name)), schema.metadata);
}

/**
 * Returns a batch with only the named columns, in their original order. apache-arrow's own `select` leaves
 * holes in place of dropped columns, and so returns empty columns.
 */
export function selectColumns(batch: RecordBatch, columns: readonly string[]): RecordBatch {
  const schema = selectFields(batch.schema, columns);
  const wanted = new Set(schema.fields);
  const children = batch.data.children.filter((_, i) => wanted.has(batch.schema.fields[i]!));
  const type = new Struct(schema.fields);
  const data = makeData({ type, length: batch.numRows, nullCount: 0, children });
  return new RecordBatch(schema, data, batch.metadata);
}

/** The rows from `start` to before `stop`, by position; both at least 0. */
export interface RowRange {
  readonly start: number;
  readonly stop: number;
}

/**
 * Returns the rows of a batch inside [start, stop), where the batch begins at row `first` of the stream. A
 * batch entirely inside the range stays the same object.
 */
export function sliceToRange(
  batch: RecordBatch,
  first: number,
  { start, stop }: RowRange,
): RecordBatch {
  const from = Math.max(0, start - first);
  const to = Math.min(batch.numRows, stop - first);
  return from === 0 && to === batch.numRows ? batch : batch.slice(from, Math.max(from, to));
}
