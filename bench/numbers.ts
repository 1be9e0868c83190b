/**
 * Measures expressions that compute numbers, dates and times, each with and without nulls. Every contender has the
 * table in its own memory and keeps the whole result.
 *
 * Not quite the same work: in sums and products of int64, Sluice and DuckDB check that each result fits, Polars
 * wraps.
 *
 * @module
 */

import { type Data, makeData, type RecordBatch, TimestampMicrosecond } from "apache-arrow";
import { type BatchStream, expr, filter, select, withColumns } from "../mod.ts";
import {
  batchBytes,
  float64Column,
  int64Column,
  recordBatch,
  textColumn,
} from "./support/columns.ts";
import type { Contest } from "./support/contest.ts";
import { openDevices } from "./support/devices.ts";
import { DuckDb } from "./support/duckdb.ts";
import { randomNumbers, words } from "./support/names.ts";
import { loadDataFrame, loadPolars } from "./support/polars.ts";
import { duckDbTable, polarsTable, resultBytes, sluiceTable } from "./support/table_contenders.ts";

/** Whether columns have nulls. */
type Nulls = "none" | "a tenth";

/** A multiple of the speed of a peer that is wanted. */
interface Wanted {
  readonly against: "DuckDB" | "Polars" | "the faster peer";
  readonly factor: number;
}

/** A job, as written for each contender. */
interface Job {
  readonly name: string;
  readonly reads: readonly (keyof typeof columns)[];
  ours(stream: BatchStream): BatchStream;
  readonly sql: string;
  // deno-lint-ignore no-explicit-any
  polars(frame: any, pl: any): any;
  /** The same work in several steps, to show the worth of a fused one. */
  readonly steps?: (stream: BatchStream) => BatchStream;
  readonly targets: readonly Wanted[];
}

const BATCH_ROWS = 65_536;

/** The different texts of a column. */
const POOL = 10_000;

/** Every tenth row is null, at random. */
const NULL_EVERY = 10;

/** With an odd divisor, no quotient is in the middle of two hundredths. */
const ODD = 700_001;

type Random = () => number;

/** Makes the values of each column. */
const columns = {
  x: floats,
  y: floats,
  z: floats,
  i: integers,
  j: integers,
  k: integers,
  digits: sampled(texts((at) => `${(at % 2 === 0 ? 1 : -1) * at * 79_193}`)),
  decimals: sampled(texts((at) => ((at - POOL / 2) * 7.31).toFixed(2))),
  time: (numRows: number, random: Random) => times(numRows, random, null),
  instant: (numRows: number, random: Random) => times(numRows, random, "UTC"),
  name: sampled(words(POOL, 1)),
  delay: integers,
};

const jobs: readonly Job[] = [
  valueJob({
    ours: "x * y + z",
    reads: ["x", "y", "z"],
    sql: "x * y + z",
    polars: (pl) => pl.col("x").multiplyBy(pl.col("y")).plus(pl.col("z")),
    targets: [{ against: "Polars", factor: 1 }],
  }),
  valueJob({
    ours: "i * j + k",
    reads: ["i", "j", "k"],
    sql: "i * j + k",
    polars: (pl) => pl.col("i").multiplyBy(pl.col("j")).plus(pl.col("k")),
    targets: [{ against: "Polars", factor: 0.8 }, { against: "DuckDB", factor: 1 }],
  }),
  {
    name: "filter x > 0 && i < -134217728",
    reads: ["x", "i", "y"],
    ours: (stream) => stream.pipeThrough(filter(expr("x > 0 && i < -134217728"))),
    sql: "select * from input where x > 0 and i < -134217728",
    polars: (frame, pl) => frame.filter(pl.col("x").gt(0).and(pl.col("i").lt(-134217728))),
    targets: [{ against: "Polars", factor: 1 }],
  },
  valueJob({
    ours: 'digits.cast("int64")',
    reads: ["digits"],
    sql: "digits::bigint",
    polars: (pl) => pl.col("digits").cast(pl.Int64, true),
    targets: [{ against: "the faster peer", factor: 1.5 }],
  }),
  valueJob({
    ours: 'decimals.cast("float64")',
    reads: ["decimals"],
    sql: "decimals::double",
    polars: (pl) => pl.col("decimals").cast(pl.Float64, true),
    targets: [{ against: "the faster peer", factor: 1.5 }],
  }),
  valueJob({
    ours: "time.month()",
    reads: ["time"],
    sql: "month(time)",
    polars: (pl) => pl.col("time").dt.month(),
    targets: [{ against: "the faster peer", factor: 3 }],
  }),
  valueJob({
    ours: 'instant.toZone("Europe/Berlin").hour()',
    reads: ["instant"],
    sql: "hour(instant at time zone 'Europe/Berlin')",
    polars: (pl) => pl.col("instant").dt.convertTimeZone("Europe/Berlin").dt.hour(),
    targets: [{ against: "the faster peer", factor: 4 }],
  }),
  valueJob({
    ours: "x.round(2)",
    reads: ["x"],
    sql: "round(x, 2)",
    polars: (pl) => pl.col("x").round(2),
    targets: [],
  }),
  {
    ...valueJob({
      ours: "name.length() * 2 + delay",
      reads: ["name", "delay"],
      sql: "length(name) * 2 + delay",
      polars: (pl) =>
        pl.col("name").str.lengths().cast(pl.Int64).multiplyBy(2).plus(pl.col("delay")),
      targets: [],
    }),
    steps: (stream) =>
      stream
        .pipeThrough(withColumns({ size: expr("name.length()") }))
        .pipeThrough(withColumns({ twice: expr("size * 2") }))
        .pipeThrough(withColumns({ value: expr("twice + delay") }))
        .pipeThrough(select("value")),
  },
];

/** Returns makers of contests. */
export function numberContests(numRows: number): Record<string, () => AsyncIterable<Contest>> {
  return {
    "numbers/values": () => contestsOf(numRows, "none"),
    "numbers/nulls": () => contestsOf(numRows, "a tenth"),
  };
}

async function* contestsOf(numRows: number, nulls: Nulls): AsyncGenerator<Contest, void, void> {
  const polars = await loadPolars();
  const devices = await openDevices();
  try {
    for (const job of jobs) {
      const batches = batchesOf(job.reads, numRows, nulls);
      const duckDb = await DuckDb.open();
      await duckDb.load("input", batches);
      const frame = await loadDataFrame(polars.pl, batches);
      const peer = { DuckDB: duckDb.name, Polars: polars.name } as const;
      yield {
        name: `numbers, ${nulls === "none" ? "no nulls" : "a tenth null"}: ${job.name}`,
        labels: { subject: "numbers", operation: job.name, nulls },
        numRows,
        numBytes: batchBytes(batches) + await resultBytes(devices[0]!, batches, job.ours),
        contenders: [
          ...devices.map((device) => sluiceTable(device, batches, job.ours)),
          ...(job.steps === undefined ? [] : [{
            ...sluiceTable(devices[0]!, batches, job.steps),
            name: "Sluice, step by step",
            role: "limit" as const,
          }]),
          duckDbTable(duckDb, job.sql),
          polarsTable(polars, () => job.polars(frame.lazy(), polars.pl)),
        ],
        targets: job.targets.map(({ against, factor }) => ({
          against: against === "the faster peer" ? against : peer[against],
          factor,
        })),
        close: () => Promise.resolve(duckDb.close()),
      };
    }
  } finally {
    for (const { engine } of devices) await engine.close();
  }
}

/** A job that computes one column. */
interface ValueJob extends Pick<Job, "reads" | "targets"> {
  readonly ours: string;
  readonly sql: string;
  // deno-lint-ignore no-explicit-any
  polars(pl: any): any;
}

function valueJob({ ours, reads, sql, polars, targets }: ValueJob): Job {
  return {
    name: ours,
    reads,
    targets,
    ours: (stream) =>
      stream.pipeThrough(withColumns({ value: expr(ours) })).pipeThrough(select("value")),
    sql: `select ${sql} as value from input`,
    polars: (frame, pl) => frame.select(polars(pl).alias("value")),
  };
}

/** Makes the batches of some columns. */
function batchesOf(
  names: readonly (keyof typeof columns)[],
  numRows: number,
  nulls: Nulls,
): RecordBatch[] {
  const random = randomNumbers(1);
  const batches: RecordBatch[] = [];
  for (let start = 0; start < numRows; start += BATCH_ROWS) {
    const length = Math.min(BATCH_ROWS, numRows - start);
    const made = names.map((name) => {
      const column: Data = columns[name](length, random);
      return [name, nulls === "none" ? column : withNulls(column, random)];
    });
    batches.push(recordBatch(Object.fromEntries(made)));
  }
  return batches;
}

function withNulls(column: Data, random: Random): Data {
  const nullBitmap = new Uint8Array((column.length + 7) >> 3);
  let nullCount = 0;
  for (let row = 0; row < column.length; row++) {
    if (random() % NULL_EVERY === 0) nullCount++;
    else nullBitmap[row >> 3]! |= 1 << (row & 7);
  }
  const { type, length, valueOffsets, values: data } = column;
  return makeData({ type, length, nullCount, nullBitmap, valueOffsets, data } as never);
}

/** Makes floats that are never near the middle of two hundredths, where the rounding of peers is not exact. */
function floats(numRows: number, random: Random): Data {
  return float64Column(Float64Array.from({ length: numRows }, () => (random() - 2 ** 31) / ODD));
}

/** Makes integers whose products fit in int64. */
function integers(numRows: number, random: Random): Data {
  return int64Column(Int32Array.from({ length: numRows }, () => random() >> 1));
}

/** Makes times from 1970 to 2038. */
function times(numRows: number, random: Random, zone: string | null): Data {
  const data = BigInt64Array.from(
    { length: numRows },
    () => BigInt(random() >>> 1) * 1_000_000n + BigInt(random() % 1_000_000),
  );
  const type = new TimestampMicrosecond(zone);
  return makeData({ type, length: numRows, nullCount: 0, data });
}

function texts(textOf: (at: number) => string): string[] {
  return Array.from({ length: POOL }, (_, at) => textOf(at));
}

/** Returns what makes columns of some texts, each as often as any other. */
function sampled(pool: readonly string[]): (numRows: number, random: Random) => Data {
  return (numRows, random) => {
    const rows = Int32Array.from({ length: numRows }, () => random() % pool.length);
    return textColumn(pool, rows);
  };
}
