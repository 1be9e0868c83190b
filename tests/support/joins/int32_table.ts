/** A batch of numbers, one after the other. */

import { Field, Int32, makeData, RecordBatch, Schema, Struct } from "apache-arrow";

/** One column, `key`, with the numbers from 0 on. */
export function int32Table(length: number): RecordBatch {
  const data = Int32Array.from({ length }, (_, row) => row);
  const fields = [new Field("key", new Int32(), false)];
  const children = [makeData({ type: new Int32(), length, nullCount: 0, data })];
  return new RecordBatch(
    new Schema(fields),
    makeData({ type: new Struct(fields), length, nullCount: 0, children }),
  );
}
