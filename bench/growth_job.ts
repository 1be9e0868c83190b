/**
 * Runs one pipeline over a stream in its own process, so that its peak memory can be read. Prints its time and
 * memory as JSON.
 *
 *     deno run -A bench/growth_job.ts filter 1000000 FOLDER
 *
 * With `prepare` at the end, it writes the input of the pipeline to the folder.
 *
 * @module
 */

import process from "node:process";
import { makeData, type RecordBatch, Utf8 } from "apache-arrow";
import { createEngine, fromBatches } from "../mod.ts";
import { growthPipelines } from "./growth_pipelines.ts";
import { peakBytes } from "./memory_job.ts";
import { float64Column, int32Column, numberedColumn, recordBatch } from "./support/columns.ts";
import { randomNumbers } from "./support/names.ts";

/** The result of the job. */
export interface GrowthResult {
  readonly numRowsOut: number;
  readonly elapsedMs: number;
  /** The processor time of all its threads. */
  readonly processorMs: number;
  readonly peakBytes: number;
}

/** The rows of a batch, a multiple of the number of names. */
const BATCH_ROWS = 65_000;
/** The rows with the same id; ids ascend. */
const ROWS_OF_ID = 4;
const NUM_NAMES = 1000;

const [name = "", count, folder, mode] = Deno.args;
const pipeline = growthPipelines[name];
if (pipeline === undefined || !(Number(count) > 0) || folder === undefined) {
  const names = Object.keys(growthPipelines).join("; ");
  throw new TypeError(`Give a number of rows, a folder, and before them one of ${names}`);
}
const numRows = Number(count);
const engine = createEngine({ device: "cpu" });
const input = { numRows, folder, rows: fromBatches(rowsOfIds(numRows), { engine }) };
if (mode === "prepare") await pipeline.prepare?.(input);
else console.log(JSON.stringify(await timeRun()));

async function timeRun(): Promise<GrowthResult> {
  const before = process.cpuUsage();
  const start = performance.now();
  const result = pipeline!.run(input);
  let numRowsOut = 0;
  if (result instanceof Promise) numRowsOut = await result;
  else for await (const batch of result) numRowsOut += batch.numRows;
  const elapsedMs = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  await engine.close();
  return { numRowsOut, elapsedMs, processorMs: (user + system) / 1000, peakBytes: peakBytes() };
}

/**
 * Yields batches on demand, in new memory, so that the source buffers no rows. Ids ascend; the other columns are
 * the same in every batch.
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
