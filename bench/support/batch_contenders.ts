/**
 * Contenders that compute one column from record batches: this library on a device, and a function
 * over batches written by hand. Either keeps the whole result, as the peers do, or hands each batch
 * on as a stream does and keeps none.
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

/** What becomes of a result: it is kept as a whole, or its batches are handed on one by one. */
export type ResultMode = "whole" | "batches";

/** How a result is measured and compared. */
export interface ResultOptions {
  readonly mode: ResultMode;
  /** Whether garbage is collected before each run: short jobs would lose their code with it. */
  readonly collects: boolean;
  /** Rows that count where results are compared; default: all. */
  readonly isCompared?: ((row: number) => boolean) | undefined;
}

/** What contenders over batches have in common. */
export interface BatchJob extends ResultOptions {
  readonly batches: readonly RecordBatch[];
  /** The column that is computed. */
  readonly column: string;
  /** Whether the text is new in each run, so that it has to be checked. Default: it was loaded before. */
  readonly isNew?: boolean | undefined;
}

/** This library on a device; `pipe` is the pipeline. */
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

/** A function written by hand. */
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
