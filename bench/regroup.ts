/**
 * Joins batches: many into one, as Polars' `rechunk` does, and into batches of 65,536 rows, for which no peer has a
 * function. The columns are numbers and names of airports.
 *
 * Polars stores text as views of 16 bytes a row and moves only these, so that the text stays in its chunks; Sluice
 * moves the text, and so does the copy by hand. The bytes of a contest are those of Arrow.
 *
 * @module
 */

import { type Data, makeData, RecordBatch, Struct, Utf8 } from "apache-arrow";
import { createEngine, fromBatches, read, regroup, type RegroupOptions, toTable } from "../mod.ts";
import { airportsFile } from "../tests/support/processes/sluice.ts";
import { collectGarbage } from "./support/collect_garbage.ts";
import {
  batchBytes,
  float64Column,
  int64Column,
  recordBatch,
  textColumn,
} from "./support/columns.ts";
import type { Contender, Contest } from "./support/contest.ts";
import { randomNumbers } from "./support/names.ts";
import { digestDataFrame, loadDataFrame, loadPolars, type Polars } from "./support/polars.ts";
import { digestBatches } from "./support/sampled_text.ts";

const NUM_ROWS = 5_000_000;
const SMALL_ROWS = 1000;
const BATCH_ROWS = 65_536;

/** A regroup of batches of `fromRows` rows. */
interface Job {
  readonly name: string;
  readonly columns: readonly ("id" | "price" | "name")[];
  readonly fromRows: number;
  readonly options: RegroupOptions;
  /** Whether Polars can do the same. */
  readonly hasPeer: boolean;
}

const jobs: readonly Job[] = [
  {
    name: "one batch of numbers",
    columns: ["id", "price"],
    fromRows: BATCH_ROWS,
    options: { one: true },
    hasPeer: true,
  },
  {
    name: "one batch of names",
    columns: ["name"],
    fromRows: BATCH_ROWS,
    options: { one: true },
    hasPeer: true,
  },
  {
    name: "one batch of names and numbers in small batches",
    columns: ["id", "price", "name"],
    fromRows: SMALL_ROWS,
    options: { one: true },
    hasPeer: true,
  },
  {
    name: `batches of ${BATCH_ROWS} rows of names and numbers in small batches`,
    columns: ["id", "price", "name"],
    fromRows: SMALL_ROWS,
    options: { rows: BATCH_ROWS },
    hasPeer: false,
  },
];

/** The contests. */
export async function regroupContests(): Promise<Contest[]> {
  const names = await airportNames();
  const polars = await loadPolars();
  const contests: Contest[] = [];
  for (const job of jobs) contests.push(await contestOf(job, names, polars));
  return contests;
}

async function contestOf(
  { name, columns, fromRows, options, hasPeer }: Job,
  names: readonly string[],
  polars: Polars,
): Promise<Contest> {
  const batches = batchesOf(columns, names, fromRows);
  // Floats are not compared, since their texts differ.
  const digested = columns.includes("name") ? "name" : "id";
  const engine = createEngine({ device: "cpu" });
  return {
    name,
    numRows: NUM_ROWS,
    // Each byte is read once and written once.
    numBytes: 2 * batchBytes(batches),
    contenders: [
      ours(() => fromBatches(batches, { engine }).pipeThrough(regroup(options)), digested),
      byHand(batches, options.rows ?? NUM_ROWS, digested),
      ...(hasPeer ? [await rechunk(polars, batches, digested)] : []),
    ],
    targets: [
      ...(hasPeer ? [{ against: "the faster peer", factor: 1 }] : []),
      { against: BY_HAND, factor: 0.5 },
    ],
    close: () => engine.close(),
  };
}

function ours(open: () => ReadableStream<RecordBatch>, column: string): Contender {
  let output: RecordBatch[] = [];
  return {
    name: "Sluice",
    role: "ours",
    device: "host",
    prepare() {
      output = [];
      return collectGarbage();
    },
    async run() {
      output = await Array.fromAsync(open());
    },
    digest: () => Promise.resolve(digestBatches(output, column)),
  };
}

const BY_HAND = "a copy by hand";

/** Copies the buffers of the batches one by one into buffers of the final sizes. */
function byHand(batches: readonly RecordBatch[], numRows: number, column: string): Contender {
  let output: RecordBatch[] = [];
  return {
    name: BY_HAND,
    role: "limit",
    device: "host",
    prepare() {
      output = [];
      return collectGarbage();
    },
    run() {
      output = groupsOf(batches, numRows).map(copied);
      return Promise.resolve();
    },
    digest: () => Promise.resolve(digestBatches(output, column)),
  };
}

async function rechunk(
  { pl, name, threads }: Polars,
  batches: readonly RecordBatch[],
  column: string,
): Promise<Contender> {
  const whole = await loadDataFrame(pl, batches);
  const chunks = starts(batches).map((start, at) => whole.slice(start, batches[at]!.numRows));
  const input = pl.concat(chunks, { rechunk: false, how: "vertical" });
  const numChunks = input.getColumn(column).nChunks();
  if (numChunks !== batches.length) throw new Error(`${numChunks} chunks of ${batches.length}`);
  // deno-lint-ignore no-explicit-any
  let output: any;
  return {
    name,
    role: "peer",
    device: `host, ${threads} threads`,
    prepare() {
      output = undefined;
      return collectGarbage();
    },
    run() {
      output = input.rechunk();
      return Promise.resolve();
    },
    digest: () => Promise.resolve(digestDataFrame(pl, output, column)),
  };
}

/** Returns the first row of each batch. */
function starts(batches: readonly RecordBatch[]): number[] {
  let row = 0;
  return batches.map(({ numRows }) => (row += numRows) - numRows);
}

/** Groups batches, sliced where necessary, so that each group has `numRows` rows; the last may have fewer. */
function groupsOf(batches: readonly RecordBatch[], numRows: number): RecordBatch[][] {
  const groups: RecordBatch[][] = [[]];
  let open = 0;
  for (const batch of batches) {
    for (let start = 0; start < batch.numRows;) {
      if (open === numRows) {
        groups.push([]);
        open = 0;
      }
      const length = Math.min(batch.numRows - start, numRows - open);
      groups.at(-1)!.push(length === batch.numRows ? batch : batch.slice(start, start + length));
      open += length;
      start += length;
    }
  }
  return groups;
}

function copied(batches: readonly RecordBatch[]): RecordBatch {
  const { schema } = batches[0]!;
  const length = batches.reduce((sum, { numRows }) => sum + numRows, 0);
  const children = schema.fields.map((_, index) =>
    copiedColumn(batches.map(({ data }) => data.children[index]!), length)
  );
  const type = new Struct(schema.fields);
  return new RecordBatch(schema, makeData({ type, length, nullCount: 0, children }));
}

function copiedColumn(parts: readonly Data[], length: number): Data {
  const { type } = parts[0]!;
  if (!(type instanceof Utf8)) {
    const data = new parts[0]!.values.constructor(length);
    let row = 0;
    for (const part of parts) {
      data.set(part.values.subarray(0, part.length), row);
      row += part.length;
    }
    return makeData({ type, length, nullCount: 0, data } as never);
  }
  const ends = parts.map((part) => part.valueOffsets[part.length] - part.valueOffsets[0]);
  const data = new Uint8Array(ends.reduce((sum, size) => sum + size, 0));
  const valueOffsets = new Int32Array(length + 1);
  let [row, position] = [0, 0];
  for (const [index, part] of parts.entries()) {
    const { values, valueOffsets: own, length } = part as Data<Utf8>;
    const first = own[0]!;
    data.set(values.subarray(first, own[length]), position);
    for (let at = 1; at <= length; at++) valueOffsets[row + at] = own[at]! - first + position;
    row += length;
    position += ends[index]!;
  }
  return makeData({ type, length, nullCount: 0, valueOffsets, data });
}

/** Returns the names of the airports. */
async function airportNames(): Promise<readonly string[]> {
  const table = await toTable(read(airportsFile, { columns: ["name"] }));
  return [...table.getChild("name")!];
}

/** Makes batches of numbers and random names. */
function batchesOf(
  columns: Job["columns"],
  names: readonly string[],
  fromRows: number,
): RecordBatch[] {
  const random = randomNumbers(1);
  const columnOf = {
    id: (start: number, length: number) =>
      int64Column(Int32Array.from({ length }, (_, row) => start + row)),
    price: (_: number, length: number) =>
      float64Column(Float64Array.from({ length }, () => random() % 1000)),
    name: (_: number, length: number) =>
      textColumn(names, Int32Array.from({ length }, () => random() % names.length)),
  };
  const batches: RecordBatch[] = [];
  for (let start = 0; start < NUM_ROWS; start += fromRows) {
    const length = Math.min(fromRows, NUM_ROWS - start);
    batches.push(recordBatch(
      Object.fromEntries(columns.map((name) => [name, columnOf[name](start, length)])),
    ));
  }
  return batches;
}
