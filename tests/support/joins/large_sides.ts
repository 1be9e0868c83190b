/** Arrow files for joins whose build side exceeds memory. */

import { Field, Int64, makeData, RecordBatch, Schema, Struct, Utf8 } from "apache-arrow";
import { ArrowEncoder } from "../../../streams/formats/arrow/arrow.ts";

/** Rows of a batch. */
const BATCH_ROWS = 65_536;
/** Bytes of text in each row of a build side: with its other columns, a row has 64. */
const TEXT_BYTES = 44;

const keyField = new Field("key", new Int64(), false);
const buildSchema = new Schema([
  keyField,
  new Field("twice", new Int64(), false),
  new Field("text", new Utf8(), false),
]);
const probeSchema = new Schema([new Field("row", new Int64(), false), keyField]);

/** Writes rows of 64 bytes whose keys count up from 0: the key, twice the key, and text. */
export function writeBuildSide(path: string, numRows: number): void {
  const text = new TextEncoder().encode("Þórunn 李 Ngũgĩ Łukasz ".padEnd(TEXT_BYTES - 8, "."));
  const values = new Uint8Array(BATCH_ROWS * text.length);
  for (let row = 0; row < BATCH_ROWS; row++) values.set(text, row * text.length);
  const valueOffsets = Int32Array.from({ length: BATCH_ROWS + 1 }, (_, i) => i * text.length);
  writeBatches(path, buildSchema, numRows, (first, length) => [
    int64Data(length, (row) => first + row),
    int64Data(length, (row) => 2 * (first + row)),
    makeData({ type: new Utf8(), length, nullCount: 0, valueOffsets, data: values }),
  ]);
}

/** Writes rows that count up and have keys from 0 to `numKeys - 1`, far from each other. */
export function writeProbeSide(path: string, numRows: number, numKeys: number): void {
  writeBatches(path, probeSchema, numRows, (first, length) => [
    int64Data(length, (row) => first + row),
    int64Data(length, (row) => probeKey(first + row, numKeys)),
  ]);
}

/** The key of a row of the probe side. */
export function probeKey(row: number, numKeys: number): number {
  return (row * 7_368_787) % numKeys;
}

function int64Data(length: number, valueOf: (row: number) => number) {
  const data = new BigInt64Array(length);
  const words = new Int32Array(data.buffer);
  for (let row = 0; row < length; row++) {
    const value = valueOf(row);
    words[2 * row] = value | 0;
    words[2 * row + 1] = Math.floor(value / 2 ** 32);
  }
  return makeData({ type: new Int64(), length, nullCount: 0, data });
}

function writeBatches(
  path: string,
  schema: Schema,
  numRows: number,
  // deno-lint-ignore no-explicit-any -- columns of any type
  columnsOf: (first: number, length: number) => any[],
): void {
  const encoder = new ArrowEncoder(schema, { format: "file" });
  using file = Deno.openSync(path, { write: true, create: true, truncate: true });
  const write = (chunks: readonly Uint8Array[]) => {
    for (const chunk of chunks) {
      for (let at = 0; at < chunk.length;) at += file.writeSync(chunk.subarray(at));
    }
  };
  write(encoder.begin());
  const type = new Struct(schema.fields);
  for (let first = 0; first < numRows; first += BATCH_ROWS) {
    const length = Math.min(BATCH_ROWS, numRows - first);
    const children = columnsOf(first, length);
    write(encoder.batch(
      new RecordBatch(schema, makeData({ type, length, nullCount: 0, children })),
    ));
  }
  write(encoder.end());
}
