/**
 * Contenders that join two tables in their own memory, and digests of the results that do not depend on the order of
 * rows.
 *
 * @module
 */

import type { RecordBatch } from "apache-arrow";
import { type BatchStream, fromBatches } from "../../mod.ts";
import { collectGarbage } from "./collect_garbage.ts";
import type { Contender } from "./contest.ts";
import type { BenchDevice } from "./devices.ts";
import type { DuckDb } from "./duckdb.ts";
import type { Polars } from "./polars.ts";

/** The columns of a result by which it is compared. */
export interface JoinDigest {
  /** A number of the probe side, and one of the build side, both from 0 to below 2^31. */
  readonly value: string;
  readonly number: string;
  /** A text of the build side. */
  readonly label: string;
  /** Numbers of the probe side whose rows are compared in full. */
  readonly sample: readonly number[];
}

/** Formats a digest of the sums and some rows. */
function formatJoin(
  sums: readonly (number | bigint)[],
  rows: readonly (readonly unknown[])[],
): string {
  const [numRows, matched, values, numbers, products, bytes] = sums;
  const texts = rows.map((row) =>
    row.map((cell) => cell === null ? "null" : String(cell)).join(" ")
  )
    .sort();
  return `${numRows} rows, ${matched} matched, sums ${values} ${numbers} ${products}, ` +
    `${bytes} bytes, ${JSON.stringify(texts)}`;
}

/** Returns Sluice on a device. It hands on batches, as a stream does, and keeps none. */
export function sluiceJoin(
  { name: device, engine }: BenchDevice,
  probe: readonly RecordBatch[],
  pipe: (stream: BatchStream) => ReadableStream<RecordBatch>,
  columns: JoinDigest,
): Contender {
  const open = () => pipe(fromBatches([...probe], { engine }));
  return {
    name: "Sluice",
    role: "ours",
    device,
    prepare: collectGarbage,
    async run() {
      let numRows = 0;
      for await (const batch of open()) numRows += batch.numRows;
      if (numRows === 0) throw new Error("Nothing matched");
    },
    digest: () => digestJoin(open(), columns),
  };
}

/** Returns DuckDB with a query over loaded tables. */
export function duckDbJoin(db: DuckDb, sql: string, columns: JoinDigest): Contender {
  const { value, number, label, sample } = columns;
  return {
    name: db.name,
    role: "peer",
    device: `host, ${db.threads} threads`,
    prepare: collectGarbage,
    run: () => db.run(sql),
    async digest() {
      const [sums] = await db.rows(`
        select count(*), count(${number}), sum(${value})::bigint, sum(${number})::bigint,
          sum(${value}::bigint * ${number})::bigint, sum(strlen(${label}))::bigint from (${sql})`);
      const rows = await db.rows(`
        select ${value}, ${number}, ${label} from (${sql}) where ${value} in (${sample.join()})`);
      return formatJoin(
        Object.values(sums!) as bigint[],
        rows.map((row) => Object.values(row)),
      );
    },
  };
}

/** Returns Polars with a query. */
export function polarsJoin(
  { pl, name, threads }: Polars,
  // deno-lint-ignore no-explicit-any
  query: any,
  { value, number, label, sample }: JoinDigest,
): Contender {
  // deno-lint-ignore no-explicit-any
  let output: any;
  return {
    name,
    role: "peer",
    device: `host, ${threads} threads`,
    async prepare() {
      output = undefined;
      await collectGarbage();
    },
    async run() {
      output = await query.collect();
    },
    digest() {
      const [values, numbers] = [pl.col(value).cast(pl.Int64), pl.col(number).cast(pl.Int64)];
      // As text, since the sums exceed JavaScript's exact integers.
      // deno-lint-ignore no-explicit-any
      const sum = (of: any) =>
        output.select(of.sum().cast(pl.Utf8).alias("sum")).toRecords()[0].sum;
      const sums = [
        output.height,
        output.height - output.getColumn(number).nullCount(),
        sum(values),
        sum(numbers),
        sum(values.mul(numbers)),
        output.getColumn(label).str.lengths().sum(),
      ];
      const rows = output.filter(pl.col(value).isIn([...sample])).select(value, number, label);
      return Promise.resolve(formatJoin(sums, rows.rows()));
    },
  };
}

/** Returns the digest of record batches. */
export async function digestJoin(
  batches: AsyncIterable<RecordBatch>,
  { value, number, label, sample }: JoinDigest,
): Promise<string> {
  const sums = [0n, 0n, 0n, 0n, 0n, 0n];
  const wanted = new Set(sample);
  const rows: unknown[][] = [];
  for await (const batch of batches) {
    const [values, numbers] = [value, number].map((column) => lowWords(batch, column));
    const labels = batch.getChild(label)!;
    const missing = batch.getChild(number)!.data[0]!;
    const partial = [batch.numRows, batch.numRows - missing.nullCount, 0, 0, 0, 0];
    for (let row = 0; row < batch.numRows; row++) {
      const isNull = missing.nullCount > 0 && !missing.getValid(row);
      partial[2]! += values![row]!;
      if (!isNull) {
        partial[3]! += numbers![row]!;
        partial[4]! += values![row]! * numbers![row]!;
      }
      if (!wanted.has(values![row]!)) continue;
      rows.push([values![row], isNull ? null : numbers![row], labels.get(row)]);
    }
    const { valueOffsets } = labels.data[0]!;
    partial[5] = valueOffsets[batch.numRows]! - valueOffsets[0]!;
    partial.forEach((part, index) => sums[index]! += BigInt(part));
  }
  return formatJoin(sums, rows);
}

/** Returns the low words of a column of int64, or the values of a column of int32. */
function lowWords(batch: RecordBatch, column: string): Int32Array {
  const { values } = batch.getChild(column)!.data[0]!;
  if (values instanceof Int32Array) return values;
  const { buffer, byteOffset, length } = values as BigInt64Array;
  const words = new Int32Array(buffer, byteOffset, 2 * length);
  return Int32Array.from({ length }, (_, row) => words[2 * row]!);
}
