/**
 * Measures reads of some rows of a large Arrow or Parquet file: the first hundred, a hundred in the middle, the last
 * hundred, every thousandth; and whether the time grows with the file.
 *
 * @module
 */

import { type BatchStream, createEngine, head, read, slice, tail, toTable } from "../mod.ts";
import { collectGarbage } from "./support/collect_garbage.ts";
import type { Contender, Contest } from "./support/contest.ts";
import { openDevices } from "./support/devices.ts";
import { DuckDb } from "./support/duckdb.ts";
import { median } from "./support/measure.ts";
import { loadPolars, type Polars } from "./support/polars.ts";
import { duckDbSlice, polarsSlice, sluiceSlice } from "./support/slice_contenders.ts";
import type { SliceFiles } from "./support/slice_files.ts";

/** The formats of the files, and their titles. */
const formats = { arrow: "Arrow", parquet: "Parquet" } as const;
type Format = keyof typeof formats;
const formatNames = Object.keys(formats) as Format[];

/** The rows of a result, unless a job takes every `EVERY`th row. */
const LENGTH = 100;
const EVERY = 1000;
/** The runs of a round if metadata locates the rows. */
const ROUND_RUNS = 15;

/** A job: the rows to take of a file with `ofFile` rows. */
interface Job {
  readonly name: string;
  /** Returns the number of rows of the result. */
  numRows(ofFile: number): number;
  ours(stream: BatchStream, ofFile: number): BatchStream;
  /** Returns a lazy frame with the same rows. */
  // deno-lint-ignore no-explicit-any
  polars(polars: Polars, frame: any, ofFile: number): any;
  /** Returns a statement for the same rows. */
  duckDb(db: DuckDb, input: DuckDbInput, ofFile: number): string | Promise<string>;
  /** Whether metadata locates the rows; our target is then twice the speed of the peers. */
  readonly byMetadata: boolean;
}

/** The input of DuckDB. */
interface DuckDbInput {
  /** A text after its name in the table of results. */
  readonly label: string;
  readonly from: string;
  /** A query with a number for each row, from 0, and the name of that column. */
  readonly numbered: string;
  readonly number: string;
}

/** The least common multiple of batches of 65,536 rows and groups of 122,880. */
const PERIOD_ROWS = 983_040;

/**
 * Returns the first of the rows in the middle. In any file of more than a period, they lie at the same position of
 * a batch and of a group, since the position decides how much of these has to be read.
 */
function middle(ofFile: number): number {
  const row = Math.floor(ofFile * 0.6172839 / PERIOD_ROWS) * PERIOD_ROWS + 549_198;
  return row + LENGTH < ofFile ? row : ofFile >> 1;
}

const jobs: readonly Job[] = [
  {
    name: "first 100 rows",
    numRows: () => LENGTH,
    ours: (stream) => stream.pipeThrough(head(LENGTH)),
    polars: (_, frame) => frame.head(LENGTH),
    duckDb: (_, { from }) => `from ${from} limit ${LENGTH}`,
    byMetadata: true,
  },
  {
    name: "100 rows in the middle",
    numRows: () => LENGTH,
    ours: (stream, ofFile) => stream.pipeThrough(slice(middle(ofFile), middle(ofFile) + LENGTH)),
    polars: (_, frame, ofFile) => frame.slice(middle(ofFile), LENGTH),
    duckDb: (_, { from }, ofFile) => `from ${from} limit ${LENGTH} offset ${middle(ofFile)}`,
    byMetadata: true,
  },
  {
    name: "last 100 rows",
    numRows: () => LENGTH,
    ours: (stream) => stream.pipeThrough(tail(LENGTH)),
    polars: (_, frame) => frame.tail(LENGTH),
    // One statement for both would scan all rows.
    async duckDb(db, { from }) {
      const [count] = await db.rows(`select count(*) as rows from ${from}`);
      return `from ${from} limit ${LENGTH} offset ${Number(count!.rows) - LENGTH}`;
    },
    byMetadata: true,
  },
  {
    name: "every thousandth row",
    numRows: (ofFile) => Math.ceil(ofFile / EVERY),
    ours: (stream) => stream.pipeThrough(slice(null, null, EVERY)),
    // A lazy frame has no step; this is the fastest way without one.
    polars: ({ pl }, frame) =>
      frame.withRowIndex("row").filter(pl.col("row").modulo(EVERY).eq(0)).drop("row"),
    duckDb: (_, { numbered, number }) =>
      `select * exclude ${number} from (${numbered}) where ${number} % ${EVERY} = 0`,
    byMetadata: false,
  },
];

/** Returns a maker of contests over the same file for each format. */
export function sliceContests(
  files: SliceFiles,
  numRows: number,
): Record<string, () => Promise<Contest[]>> {
  return Object.fromEntries(
    formatNames.map((format) => [`slices/${format}`, () => contestsOf(format, files, numRows)]),
  );
}

async function contestsOf(
  format: Format,
  files: SliceFiles,
  numRows: number,
): Promise<Contest[]> {
  const path = await files[format](numRows);
  const devices = await openDevices();
  const polars = await loadPolars();
  const duckDb = await DuckDb.open();
  const input = format === "parquet"
    ? parquetInput(path)
    : await attached(duckDb, await files.database(numRows));
  const fileBytes = Deno.statSync(path).size;
  const scan = () => format === "arrow" ? polars.pl.scanIPC(path) : polars.pl.scanParquet(path);
  let numOpen = jobs.length;
  return jobs.map((job): Contest => {
    const ours = devices.map((device): Contender =>
      sluiceSlice(device, () => job.ours(read(path, { engine: device.engine }), numRows))
    );
    const numOut = job.numRows(numRows);
    return {
      name: `${job.name} of ${(fileBytes / 1e9).toFixed(1)} GB of ${formats[format]}`,
      numRows: numOut,
      numBytes: numOut * fileBytes / numRows,
      contenders: [
        ...ours,
        duckDbSlice(duckDb, input.label, () => job.duckDb(duckDb, input, numRows)),
        polarsSlice(polars, () => job.polars(polars, scan(), numRows)),
      ],
      // More runs, since each takes a few milliseconds and varies.
      ...(job.byMetadata ? { runsOfRound: ROUND_RUNS } : {}),
      targets: job.byMetadata ? [{ against: "the faster peer", factor: 2 }] : [],
      async close() {
        if (--numOpen > 0) return;
        for (const { engine } of devices) await engine.close();
        duckDb.close();
      },
    };
  });
}

function parquetInput(path: string): DuckDbInput {
  return {
    label: "",
    from: `read_parquet('${path}')`,
    numbered: `from read_parquet('${path}', file_row_number = true)`,
    number: "file_row_number",
  };
}

/** Returns the rows of the Arrow file, from a database of DuckDB's own. */
async function attached(db: DuckDb, path: string): Promise<DuckDbInput> {
  await db.run(`attach '${path}' as slices (read_only)`);
  return {
    label: ", its own database",
    from: "slices.parcels",
    numbered: "select *, rowid as number from slices.parcels",
    number: "number",
  };
}

/** Our time for a file, and for one of about a tenth of its rows. */
interface Growth {
  readonly job: string;
  readonly smallMs: number;
  readonly largeMs: number;
}

/** The first runs of growth, which do not count. */
const WARM_UP_RUNS = 5;

/** Measures the jobs whose rows metadata locates. */
export async function* measureGrowth(
  files: SliceFiles,
  numRows: number,
  numRounds: number,
): AsyncGenerator<Growth, void, void> {
  // The last batch and the last group have the same sizes as in the large file.
  const smallRows = numRows - Math.floor(0.9 * numRows / PERIOD_ROWS) * PERIOD_ROWS;
  const sizes = [smallRows, numRows];
  const engine = createEngine({ device: "cpu" });
  for (const format of formatNames) {
    const paths: string[] = [];
    for (const size of sizes) paths.push(await files[format](size));
    for (const job of jobs.filter(({ byMetadata }) => byMetadata)) {
      const times = sizes.map((): number[] => []);
      await collectGarbage();
      for (let run = -WARM_UP_RUNS; run < numRounds * ROUND_RUNS; run++) {
        for (const [index, size] of sizes.entries()) {
          const start = performance.now();
          await toTable(job.ours(read(paths[index]!, { engine }), size));
          if (run >= 0) times[index]!.push(performance.now() - start);
        }
      }
      const [smallMs, largeMs] = times.map(median) as [number, number];
      yield { job: `${job.name}, ${formats[format]}`, smallMs, largeMs };
    }
  }
  await engine.close();
}
