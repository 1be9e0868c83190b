/**
 * A table of text that each contender has in its own memory, and contests in which all compute one column of it.
 *
 * @module
 */

import { DataType, type RecordBatch } from "apache-arrow";
import { type BatchStream, expr, fromBatches, select, withColumns } from "../../mod.ts";
import { byHand, onDevice, type ResultMode } from "./batch_contenders.ts";
import { checkContest, type Contender, type Contest, type Target } from "./contest.ts";
import { type BenchDevice, openDevices } from "./devices.ts";
import { DuckDb } from "./duckdb.ts";
import { timeRun } from "./measure.ts";
import { textBytes } from "./names.ts";
import { duckDbColumn, polarsColumn } from "./peer_columns.ts";
import { loadDataFrame, loadPolars, type Polars } from "./polars.ts";

/** A column, as written for each contender. */
export interface ColumnJob {
  readonly ours: string;
  /** Ways to write it with equal results; the fastest takes part. */
  readonly sql: readonly string[];
  // deno-lint-ignore no-explicit-any
  readonly polars: readonly ((pl: any) => any)[];
  /** The columns that it reads. */
  readonly reads: readonly string[];
  /** Rows with text that matches are computed but not compared, since peers differ there. */
  readonly except?: RegExp;
  /** A hand-written loop. */
  readonly byHand?: (batch: RecordBatch) => RecordBatch;
}

/** The options of a contest over a table. */
interface ContestOptions {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string | number>>;
  /** Default: contenders keep the whole result. */
  readonly mode?: ResultMode;
  /** Whether our text is new in each run. Default: it was loaded before, as that of the peers. */
  readonly isNew?: boolean | undefined;
  readonly targets: readonly Target[];
}

/** The runs of each way to write a job, of which the fastest counts; a check has run it before. */
const SPELLING_RUNS = 3;

/** The number of rows up to which a job is so short that collecting garbage would distort its time. */
export const FEW_ROWS = 100_000;

/** The column that contenders over batches compute. */
const COLUMN = "value";

/** A table of text. */
export class TextTable {
  readonly #batches: readonly RecordBatch[];
  readonly #devices: readonly BenchDevice[];
  readonly #duckDb: DuckDb;
  readonly #polars: Polars;
  // deno-lint-ignore no-explicit-any
  readonly #frame: any;

  private constructor(
    batches: readonly RecordBatch[],
    devices: readonly BenchDevice[],
    duckDb: DuckDb,
    polars: Polars,
    // deno-lint-ignore no-explicit-any
    frame: any,
  ) {
    this.#batches = batches;
    this.#devices = devices;
    this.#duckDb = duckDb;
    this.#polars = polars;
    this.#frame = frame;
  }

  /** Loads batches into the memory of each contender. */
  static async open(batches: readonly RecordBatch[]): Promise<TextTable> {
    const devices = await openDevices();
    const duckDb = await DuckDb.open();
    await duckDb.load("input", batches);
    const polars = await loadPolars();
    const frame = await loadDataFrame(polars.pl, batches);
    return new TextTable(batches, devices, duckDb, polars, frame);
  }

  /** Returns the contest of a job. Throws an Error if two ways to write it differ. */
  async contest(
    job: ColumnJob,
    { name, labels, mode = "whole", isNew, targets }: ContestOptions,
  ): Promise<Contest> {
    const isCompared = job.except && this.#comparedRows(job.except, job.reads);
    const result = { mode, isCompared, collects: this.#numRows > FEW_ROWS };
    const overBatches = { ...result, batches: this.#batches, column: COLUMN, isNew };
    const pipe = (stream: BatchStream) =>
      stream.pipeThrough(withColumns({ [COLUMN]: expr(job.ours) })).pipeThrough(select(COLUMN));
    const duckDb = job.sql.map((sql) => duckDbColumn(this.#duckDb, sql, result));
    const polars = job.polars.map((make) => polarsColumn(this.#polars, this.#frame, make, result));
    const numBytes = await this.#numBytes(job.reads, pipe);
    return {
      name,
      ...(labels === undefined ? {} : { labels }),
      numRows: this.#numRows,
      numBytes,
      contenders: [
        ...this.#devices.map((device) => onDevice(device, overBatches, pipe)),
        ...(job.byHand === undefined ? [] : [byHand(overBatches, job.byHand)]),
        await fastestOf(name, duckDb),
        await fastestOf(name, polars),
      ],
      targets,
      close: () => Promise.resolve(),
    };
  }

  /** Frees the memory of the contenders. */
  async close(): Promise<void> {
    for (const { engine } of this.#devices) await engine.close();
    this.#duckDb.close();
  }

  get #numRows(): number {
    return this.#batches.reduce((sum, batch) => sum + batch.numRows, 0);
  }

  /** Returns the bytes of the text that is read and of the result. */
  async #numBytes(
    reads: readonly string[],
    pipe: (stream: BatchStream) => BatchStream,
  ): Promise<number> {
    const { engine } = this.#devices[0]!;
    let numBytes = reads.reduce((sum, column) => sum + textBytes(this.#batches, column), 0);
    for await (const batch of pipe(fromBatches([...this.#batches], { engine }))) {
      const { valueOffsets, type, values } = batch.getChild(COLUMN)!.data[0]!;
      numBytes += DataType.isUtf8(type)
        ? valueOffsets[batch.numRows]! - valueOffsets[0]!
        : values.byteLength;
    }
    return numBytes;
  }

  /** Returns whether a row has no matching text in any of the columns. */
  #comparedRows(except: RegExp, columns: readonly string[]): (row: number) => boolean {
    const excepted = new Set<number>();
    for (const column of columns) {
      let row = 0;
      for (const batch of this.#batches) {
        for (const text of batch.getChild(column)!) {
          if (text !== null && except.test(text)) excepted.add(row);
          row++;
        }
      }
    }
    return (row) => !excepted.has(row);
  }
}

/** Returns the fastest of several ways to write a job, after a check that their results are equal. */
async function fastestOf(name: string, contenders: readonly Contender[]): Promise<Contender> {
  if (contenders.length > 1) await checkContest({ name, contenders });
  let fastest = contenders[0]!;
  let leastMs = Infinity;
  for (const contender of contenders.length > 1 ? contenders : []) {
    for (let run = 0; run < SPELLING_RUNS; run++) {
      const { elapsedMs } = await timeRun(contender);
      if (elapsedMs < leastMs) [fastest, leastMs] = [contender, elapsedMs];
    }
  }
  return fastest;
}
