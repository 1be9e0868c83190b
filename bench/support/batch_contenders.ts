/**
 * Contenders that compute one column from record batches: Sluice on a device, and a hand-written function over
 * batches. Each keeps the whole result, as the peers do, or hands on each batch, as a stream does, and keeps none.
 *
 * @module
 */

import type { RecordBatch } from "apache-arrow";
import { type BatchStream, fromBatches } from "../../mod.ts";
import { collectGarbage } from "./collect_garbage.ts";
import type { Contender } from "./contest.ts";
import type { BenchDevice } from "./devices.ts";
import { digestText } from "./digest_text.ts";
import { unseen } from "./names.ts";

/** Whether a contender keeps the whole result, or hands on its batches one by one. */
export type ResultMode = "whole" | "batches";

/** Options for measuring and comparing a result. */
export interface ResultOptions {
  readonly mode: ResultMode;
  /** Whether to collect garbage before each run; that would also discard the compiled code of short jobs. */
  readonly collects: boolean;
  /** Whether a row counts in the comparison of results. Default: all do. */
  readonly isCompared?: ((row: number) => boolean) | undefined;
}

/** The job of contenders over batches. */
interface BatchJob extends ResultOptions {
  readonly batches: readonly RecordBatch[];
  /** The computed column. */
  readonly column: string;
  /** Whether the text is new in each run, so that it must be validated. Default: it was loaded before. */
  readonly isNew?: boolean | undefined;
}

/** Returns Sluice on a device; `pipe` is the pipeline. */
export function onDevice(
  { name: device, engine }: BenchDevice,
  { batches, column, mode, collects, isCompared, isNew = false }: BatchJob,
  pipe: (stream: BatchStream) => ReadableStream<RecordBatch>,
): Contender {
  const open = () => pipe(fromBatches(isNew ? unseen(batches) : [...batches], { engine }));
  let output: RecordBatch[] = [];
  return {
    name: "Sluice",
    role: "ours",
    device,
    async prepare() {
      output = [];
      if (collects) await collectGarbage();
    },
    async run() {
      let numRows = 0;
      for await (const batch of open()) {
        numRows += batch.numRows;
        if (mode === "whole") output.push(batch);
      }
      checkCount(numRows, batches);
    },
    digest: async () => digestText(await Array.fromAsync(open()), column, isCompared),
  };
}

/** Returns a hand-written function as a contender. */
export function byHand(
  { batches, column, mode, collects, isCompared }: BatchJob,
  compute: (batch: RecordBatch) => RecordBatch,
): Contender {
  let output: RecordBatch[] = [];
  return {
    name: "a loop by hand",
    role: "limit",
    device: "host",
    async prepare() {
      output = [];
      if (collects) await collectGarbage();
    },
    run() {
      let numRows = 0;
      for (const batch of batches) {
        const computed = compute(batch);
        numRows += computed.numRows;
        if (mode === "whole") output.push(computed);
      }
      checkCount(numRows, batches);
      return Promise.resolve();
    },
    digest: () => Promise.resolve(digestText(batches.map(compute), column, isCompared)),
  };
}

function checkCount(numRows: number, batches: readonly RecordBatch[]): void {
  const wanted = batches.reduce((sum, batch) => sum + batch.numRows, 0);
  if (numRows !== wanted) throw new Error(`${numRows} rows came out of ${wanted}`);
}
