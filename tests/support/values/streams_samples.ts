/** Record batches of every type for the tests of sources and sinks. */

import * as arrow from "apache-arrow";
import { rowSlice } from "../../../streams/rows/row_slice.ts";
import type { OpenOptions, Source } from "../../../streams/plan/source.ts";
import { surroundBatch } from "./surround_data.ts";
import { sourceBatches } from "../pipelines/source_batches.ts";

export { inFolder } from "../files/folder.ts";

/** Columns of a batch: of each the type and the values; null is null. */
type BatchColumns = Record<string, readonly [arrow.DataType, readonly unknown[]]>;

/** A batch of the given columns, in buffers with other bytes around the rows and below the nulls. */
export function batchOf(columns: BatchColumns): arrow.RecordBatch {
  return surroundBatch(bareBatchOf(columns));
}

/** A batch of the given columns, in buffers with nothing else. */
export function bareBatchOf(columns: BatchColumns): arrow.RecordBatch {
  const fields: arrow.Field[] = [];
  const children: arrow.Data[] = [];
  for (const [name, [type, values]] of Object.entries(columns)) {
    fields.push(new arrow.Field(name, type, true));
    children.push(columnOf(type, values));
  }
  const length = Object.values(columns)[0]?.[1].length ?? 0;
  const data = arrow.makeData({ type: new arrow.Struct(fields), length, nullCount: 0, children });
  return new arrow.RecordBatch(new arrow.Schema(fields), data);
}

function columnOf(type: arrow.DataType, values: readonly unknown[]): arrow.Data {
  if (values.length === 0) return arrow.makeData({ type, length: 0 } as never);
  return arrow.vectorFromArray(values as unknown[], type).data[0]!;
}

/** A batch of strings and integers, with nulls and characters of 1 to 4 bytes. */
export function wordsBatch(words: readonly (string | null)[], start = 0): arrow.RecordBatch {
  return batchOf({
    id: [new arrow.Int32(), words.map((_, index) => start + index)],
    word: [new arrow.Utf8(), words],
  });
}

const words = ["", "a", "é", "€uro", "𝄞", null, "longer than twelve bytes", "naïve", null, "z"];
const at = <T>(values: readonly T[], index: number): T => values[index % values.length]!;

/** A batch with a column of every type, every third value null. */
export function allTypesBatch(numRows: number): arrow.RecordBatch {
  const fill = <T>(value: (index: number) => T): (T | null)[] =>
    Array.from({ length: numRows }, (_, i) => (i % 3 === 2 ? null : value(i)));
  const ofWords = Array.from({ length: numRows }, (_, i) => at(words, i));
  const item = new arrow.Field("item", new arrow.Int32(), true);
  return batchOf({
    nothing: [new arrow.Null(), fill(() => null)],
    bool: [new arrow.Bool(), fill((i) => i % 2 === 0)],
    int8: [new arrow.Int8(), fill((i) => -i % 100)],
    int16: [new arrow.Int16(), fill((i) => i * 3)],
    int32: [new arrow.Int32(), fill((i) => i * 70_000)],
    int64: [new arrow.Int64(), fill((i) => BigInt(i) * 2n ** 54n + 1n)],
    uint8: [new arrow.Uint8(), fill((i) => i % 256)],
    uint16: [new arrow.Uint16(), fill((i) => i)],
    uint32: [new arrow.Uint32(), fill((i) => 2 ** 31 + i)],
    uint64: [new arrow.Uint64(), fill((i) => 2n ** 63n + BigInt(i))],
    float32: [new arrow.Float32(), fill((i) => i / 2)],
    float64: [new arrow.Float64(), fill((i) => i / 3)],
    utf8: [new arrow.Utf8(), ofWords],
    large: [new arrow.LargeUtf8(), ofWords],
    view: [new arrow.Utf8View(), ofWords],
    fixed: [new arrow.FixedSizeBinary(3), fill((i) => Uint8Array.of(i, 1, 2))],
    decimal: [new arrow.Decimal(2, 10, 128), fill((i) => Uint32Array.of(i, 0, 0, 0))],
    day: [new arrow.DateDay(), fill((i) => i * 86_400_000)],
    date: [new arrow.DateMillisecond(), fill((i) => i * 86_400_000)],
    time: [new arrow.TimeMillisecond(), fill((i) => i)],
    stamp: [new arrow.TimestampMicrosecond("Europe/Berlin"), fill((i) => i * 1000)],
    duration: [new arrow.DurationMicrosecond(), fill((i) => BigInt(i))],
    interval: [new arrow.IntervalDayTime(), fill((i) => Int32Array.of(i, 5))],
    list: [new arrow.List(item), fill((i) => Array.from({ length: i % 4 }, (_, j) => i + j))],
    pair: [new arrow.FixedSizeList(2, item), fill((i) => [i, i + 1])],
    struct: [
      new arrow.Struct([
        new arrow.Field("a", new arrow.Int32(), true),
        new arrow.Field("b", new arrow.Utf8(), true),
      ]),
      fill((i) => ({ a: i, b: at(words, i) })),
    ],
    category: [
      new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32(), 7),
      fill((i) => at(["red", "blue"], i)),
    ],
  });
}

/** The rows of batches as plain values that can be compared: typed arrays and vectors unfolded. */
export function rowsOf(batches: Iterable<arrow.RecordBatch>): Record<string, unknown>[] {
  const rows: Record<string, unknown>[] = [];
  for (const batch of batches) {
    const columns = batch.schema.fields.map((field, i) =>
      [field.name, batch.getChildAt(i)!] as const
    );
    for (let row = 0; row < batch.numRows; row++) {
      rows.push(
        Object.fromEntries(columns.map(([name, column]) => [name, plain(column.get(row))])),
      );
    }
  }
  return rows;
}

/** A value of any reader as plain JavaScript. */
export function plain(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<unknown>, plain);
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Date) return value.getTime();
  if (typeof value !== "object") return value;
  if (Symbol.iterator in value && "length" in value) {
    return [...(value as Iterable<unknown>)].map(plain);
  }
  const { toJSON } = value as { toJSON?: () => unknown };
  const entries = typeof toJSON === "function" ? toJSON.call(value) as object : value;
  return Object.fromEntries(Object.entries(entries).map(([key, item]) => [key, plain(item)]));
}

/** All batches of a source. */
export function readAll(
  source: Pick<Source, "rows">,
  options: ReadOptions = {},
): Promise<arrow.RecordBatch[]> {
  return Array.fromAsync(openRange(source, options));
}

/** How a source is read: with `start` or `stop`, only those rows, by seeking. */
export interface ReadOptions extends OpenOptions {
  readonly start?: number | undefined;
  readonly stop?: number | undefined;
}

/** The rows of a source, all or those from `start` to before `stop`. */
export async function* openRange(
  source: Pick<Source, "rows">,
  { start, stop, ...options }: ReadOptions,
): AsyncGenerator<arrow.RecordBatch, void, void> {
  if (start === undefined && stop === undefined) {
    yield* sourceBatches(source, options);
    return;
  }
  const all = rowSlice(start ?? 0, stop === Infinity ? undefined : stop);
  for await (const { batch, runs } of source.rows([all], options)) {
    if (runs === undefined) yield batch;
    else for (const { start, count } of runs) yield batch.slice(start, start + count);
  }
}

/** Writes batches to a sink and closes it. */
export async function writeAll(
  sink: WritableStream<arrow.RecordBatch>,
  batches: Iterable<arrow.RecordBatch>,
): Promise<void> {
  await ReadableStream.from(batches).pipeTo(sink);
}
