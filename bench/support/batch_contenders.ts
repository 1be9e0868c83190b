/**
 * Contenders that compute one column from record batches: this library on a device, and a function
 * over batches written by hand. Both hand each batch of the result on as a stream does, and keep
 * none.
 *
 * @module
 */

import type { RecordBatch } from "apache-arrow";
import { type BatchStream, fromBatches } from "../../mod.ts";
import type { Contender } from "./contest.ts";
import type { BenchDevice } from "./devices.ts";
import { unseen } from "./names.ts";
import { digestBatches } from "./sampled_text.ts";

/** This library on a device; `pipe` is the pipeline. */
export function onDevice(
  { name: device, engine }: BenchDevice,
  batches: readonly RecordBatch[],
  column: string,
  pipe: (stream: BatchStream) => ReadableStream<RecordBatch>,
): Contender {
  const open = () => pipe(fromBatches(unseen(batches), { engine }));
  return {
    name: "Sluice",
    role: "ours",
    device,
    async run() {
      let numRows = 0;
      for await (const batch of open()) numRows += batch.numRows;
      checkCount(numRows, batches);
    },
    digest: async () => digestBatches(await Array.fromAsync(open()), column),
  };
}

/** A function written by hand. */
export function byHand(
  batches: readonly RecordBatch[],
  column: string,
  compute: (batch: RecordBatch) => RecordBatch,
): Contender {
  return {
    name: "a loop by hand",
    role: "limit",
    device: "host",
    run() {
      let numRows = 0;
      for (const batch of batches) numRows += compute(batch).numRows;
      checkCount(numRows, batches);
      return Promise.resolve();
    },
    digest: () => Promise.resolve(digestBatches(batches.map(compute), column)),
  };
}

function checkCount(numRows: number, batches: readonly RecordBatch[]): void {
  const wanted = batches.reduce((sum, batch) => sum + batch.numRows, 0);
  if (numRows !== wanted) throw new Error(`${numRows} rows came out of ${wanted}`);
}
