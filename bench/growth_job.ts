/**
 * One operator over a stream of some rows in a process of its own, so that its peak memory can be read.
 * Prints how long it took and what it needed as JSON.
 *
 *     deno run -A bench/growth_job.ts filter 1000000
 *
 * @module
 */

import { makeData, type RecordBatch, Utf8 } from "apache-arrow";
import {
  type BatchStream,
  createEngine,
  drop,
  expr,
  filter,
  fromBatches,
  join,
  joinStrings,
  regroup,
  rename,
  select,
  slice,
  withColumns,
} from "../mod.ts";
import { peakBytes } from "./memory_job.ts";
import { float64Column, int32Column, numberedColumn, recordBatch } from "./support/columns.ts";
import { randomNumbers } from "./support/names.ts";

/** What the job did. */
export interface GrowthResult {
  readonly numRowsOut: number;
  readonly elapsedMs: number;
  readonly peakBytes: number;
}

/** A multiple of the number of names. */
const BATCH_ROWS = 65_000;
/** Rows of the source with the same id, which ascends. */
const ROWS_OF_ID = 4;
const NUM_NAMES = 1000;

/** A pipeline over a stream of so many rows. */
type Pipeline = (rows: BatchStream, numRows: number) => BatchStream;

/** The operators, and the source without one. */
export const growthPipelines: Readonly<Record<string, Pipeline>> = {
  "no operator": (rows) => rows,
  select: (rows) => rows.pipeThrough(select("name", "id")),
  drop: (rows) => rows.pipeThrough(drop("price")),
  rename: (rows) => rows.pipeThrough(rename({ name: "label" })),
  withColumns: (rows) => rows.pipeThrough(withColumns({ tag: expr('name.upper() + "!"') })),
  filter: (rows) => rows.pipeThrough(filter(expr("price > 500"))),
  "slice, the first half": (rows, numRows) => rows.pipeThrough(slice(0, Math.floor(numRows / 2))),
  "slice, every third": (rows) => rows.pipeThrough(slice(0, undefined, 3)),
  "slice, all but the last ten": (rows) => rows.pipeThrough(slice(0, -10)),
  "slice, the last thousand": (rows) => rows.pipeThrough(slice(-1000)),
  "regroup by rows": (rows) => rows.pipeThrough(regroup({ rows: 10_000 })),
  "regroup by bytes": (rows) => rows.pipeThrough(regroup({ bytes: 1 << 20 })),
  "regroup by values": (rows) => rows.pipeThrough(regroup({ by: "id", rows: 10_000 })),
  joinStrings: (rows) => rows.pipeThrough(joinStrings("name", { separator: " " })),
  "join on a number": (rows) => rows.pipeThrough(join(built(), { on: { id: "key" } })),
  "join on text": (rows) => rows.pipeThrough(join(built(), { on: { name: "text" } })),
  "join as of": (rows) => rows.pipeThrough(join(built(), { asOf: { id: "key" } })),
};

if (import.meta.main) {
  const [name = "", numRows] = Deno.args;
  const pipeline = growthPipelines[name];
  if (pipeline === undefined || !(Number(numRows) > 0)) {
    throw new TypeError(
      `Give one of ${Object.keys(growthPipelines).join(", ")}, and a number of rows`,
    );
  }
  console.log(JSON.stringify(await runJob(pipeline, Number(numRows))));
}

async function runJob(pipeline: Pipeline, numRows: number): Promise<GrowthResult> {
  const engine = createEngine({ device: "cpu" });
  const source = rowsOfIds(numRows);
  const start = performance.now();
  let numRowsOut = 0;
  for await (const batch of pipeline(fromBatches(source, { engine }), numRows)) {
    numRowsOut += batch.numRows;
  }
  const elapsedMs = performance.now() - start;
  await engine.close();
  return { numRowsOut, elapsedMs, peakBytes: peakBytes() };
}

/**
 * Batches as they are asked for, so that the source holds no rows, in new memory. Ids ascend; the other
 * columns are the same in every batch.
 */
function* rowsOfIds(numRows: number): Generator<RecordBatch, void, void> {
  const random = randomNumbers(1);
  const prices = Float64Array.from({ length: BATCH_ROWS }, () => random() % 1000);
  const numbers = Int32Array.from({ length: BATCH_ROWS }, (_, row) => row % NUM_NAMES);
  const names = numberedColumn("name ", numbers);
  for (let first = 0; first < numRows; first += BATCH_ROWS) {
    const length = Math.min(BATCH_ROWS, numRows - first);
    const ids = new Int32Array(length);
    for (let row = 0; row < length; row++) ids[row] = Math.floor((first + row) / ROWS_OF_ID);
    yield recordBatch({
      id: int32Column(ids),
      price: float64Column(prices.slice(0, length)),
      name: makeData({
        type: new Utf8(),
        length,
        nullCount: 0,
        valueOffsets: names.valueOffsets.slice(0, length + 1),
        data: names.values.slice(),
      }),
    });
  }
}

/** The build side of a join: every key is an id of a long stream, and every text is a name. */
function built(): BatchStream {
  const keys = Int32Array.from({ length: NUM_NAMES }, (_, row) => row);
  return fromBatches([
    recordBatch({ key: int32Column(keys), text: numberedColumn("name ", keys) }),
  ]);
}
