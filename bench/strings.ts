/**
 * The string library over 5 million short strings: single operations and a chain of five.
 *
 * @module
 */

import type { RecordBatch } from "apache-arrow";
import { expr, select, withColumns } from "../mod.ts";
import { onDevice } from "./support/batch_contenders.ts";
import type { Contest } from "./support/contest.ts";
import { openDevices } from "./support/devices.ts";
import { DuckDb } from "./support/duckdb.ts";
import { textBatches, textBytes, words } from "./support/names.ts";
import { duckDbContender, polarsContender } from "./support/peer_contenders.ts";
import { loadDataFrame, loadPolars } from "./support/polars.ts";

const NUM_ROWS = 5_000_000;

/** Of two words, one blank between: 13 bytes on average. */
const NAME = "name";
/** The same with up to three blanks on either side. */
const SPACED = "spaced";

/** One job: the same work in the words of each contender. */
interface Job {
  readonly ours: string;
  readonly sql: string;
  // deno-lint-ignore no-explicit-any
  polars(pl: any): any;
  /** Columns that it reads. */
  readonly reads: readonly string[];
  /** Times as fast as the faster peer, at least. */
  readonly factor: number;
}

const jobs: readonly Job[] = [
  {
    ours: "name.upper()",
    sql: "upper(name)",
    polars: (pl) => pl.col(NAME).str.toUpperCase(),
    reads: [NAME],
    factor: 2,
  },
  {
    ours: "name.lower()",
    sql: "lower(name)",
    polars: (pl) => pl.col(NAME).str.toLowerCase(),
    reads: [NAME],
    factor: 2,
  },
  {
    ours: "name.slice(2, 8)",
    sql: "substr(name, 3, 6)",
    polars: (pl) => pl.col(NAME).str.slice(2, 6),
    reads: [NAME],
    factor: 2,
  },
  {
    ours: 'name.splitPart(" ", 1)',
    sql: "split_part(name, ' ', 2)",
    polars: (pl) => pl.col(NAME).str.split(" ").lst.get(1),
    reads: [NAME],
    factor: 2,
  },
  {
    ours: 'name.contains("an")',
    sql: "contains(name, 'an')",
    polars: (pl) => pl.col(NAME).str.contains("an", true),
    reads: [NAME],
    factor: 2,
  },
  {
    ours: 'name.replace(" ", " von ")',
    sql: "replace(name, ' ', ' von ')",
    polars: (pl) => pl.col(NAME).str.replaceAll(" ", " von ", true),
    reads: [NAME],
    factor: 2,
  },
  {
    ours: "spaced.strip()",
    sql: "trim(spaced)",
    polars: (pl) => pl.col(SPACED).str.strip(),
    reads: [SPACED],
    factor: 2,
  },
  {
    ours: "name.pad(24)",
    sql: "lpad(name, 24, ' ')",
    polars: (pl) => pl.col(NAME).str.padStart(24, " "),
    reads: [NAME],
    factor: 2,
  },
  {
    ours: 'name.containsRe("[aeiou]n [A-M]")',
    sql: "regexp_matches(name, '[aeiou]n [A-M]')",
    polars: (pl) => pl.col(NAME).str.contains("[aeiou]n [A-M]", false),
    reads: [NAME],
    factor: 2,
  },
  {
    ours: 'name + "," + spaced',
    sql: "name || ',' || spaced",
    // Unlike `concatString`, a sum with null is null.
    polars: (pl) => pl.col(NAME).plus(pl.lit(",")).plus(pl.col(SPACED)),
    reads: [NAME, SPACED],
    factor: 2,
  },
  {
    ours: '"u/" + spaced.strip().lower().replace(" ", "-").slice(0, 12)',
    sql: "'u/' || substr(replace(lower(trim(spaced)), ' ', '-'), 1, 12)",
    polars: (pl) => {
      const stripped = pl.col(SPACED).str.strip().str.toLowerCase();
      return pl.lit("u/").plus(stripped.str.replaceAll(" ", "-", true).str.slice(0, 12));
    },
    reads: [SPACED],
    factor: 5,
  },
];

/** The contests, over tables that they share. */
export async function stringContests(): Promise<Contest[]> {
  const first = words(500, 1);
  const last = words(500, 2);
  const name = (random: () => number) => `${first[random() % 500]} ${last[random() % 500]}`;
  const batches = textBatches(NUM_ROWS, {
    [NAME]: name,
    [SPACED]: (random) => `${" ".repeat(random() % 4)}${name(random)}${" ".repeat(random() % 4)}`,
  });
  const devices = await openDevices();
  const duckDb = await DuckDb.open();
  await duckDb.load("input", batches);
  const polars = await loadPolars();
  const frame = await loadDataFrame(polars.pl, batches);
  let numOpen = jobs.length;
  const written = await bytesWritten(duckDb);
  return jobs.map((job, index): Contest => ({
    name: job.ours,
    numRows: NUM_ROWS,
    numBytes: bytesRead(batches, job) + (written[index] ?? 0),
    contenders: [
      ...devices.map((device) =>
        onDevice(
          device,
          batches,
          "value",
          (stream) =>
            stream.pipeThrough(withColumns({ value: expr(job.ours) })).pipeThrough(select("value")),
        )
      ),
      duckDbContender(duckDb, job.sql),
      polarsContender(polars, frame, job.polars(polars.pl)),
    ],
    targets: [{ against: "the faster peer", factor: job.factor }],
    async close() {
      if (--numOpen > 0) return;
      for (const { engine } of devices) await engine.close();
      duckDb.close();
    },
  }));
}

function bytesRead(batches: readonly RecordBatch[], { reads }: Job): number {
  return reads.reduce((sum, column) => sum + textBytes(batches, column), 0);
}

/** Bytes of text that each job gives. */
async function bytesWritten(duckDb: DuckDb): Promise<number[]> {
  const sizes = jobs.map(({ sql }) =>
    `sum(case when typeof(${sql}) = 'VARCHAR' then strlen((${sql})::varchar) end)::double`
  );
  const [row] = await duckDb.rows(`select ${sizes.join()} from input`);
  return Object.values(row ?? {}).map(Number);
}
