/**
 * Starts the threads that decode and encode the Parquet files of a command while the library is being
 * loaded. Loads nothing of it.
 *
 * @module
 */

import { environmentVariable } from "../ops/engine/environment.ts";
import { isLargeFile } from "../streams/parquet/worker/large_file.ts";
import {
  allowDecodeWorkers,
  endIdleDecodeWorkers,
  startDecodeWorker,
} from "../streams/parquet/worker/decode_worker.ts";
import { localPath } from "../streams/url.ts";
import { endIdleEncodeWorker, startEncodeWorker } from "../streams/parquet/worker/encode_worker.ts";
import type { PlacedStep } from "./pipeline.ts";

/** Starts a thread for each of them if the command reads all of a large file. */
export function startWorkersFor(steps: readonly PlacedStep[]): void {
  const numThreads = Number(environmentVariable("SLUICE_THREADS") ?? Infinity);
  if (numThreads < 2 || navigator.hardwareConcurrency < 2) return;
  allowDecodeWorkers();
  if (!readsAll(steps)) return;
  const files = steps.flatMap(({ step }) => step.role === "sink" ? [] : step.reads ?? []);
  const large = files.filter((file) => isLargeFile(localPath(file)));
  if (large.some(isParquet)) startDecodeWorker();
  if (large.length > 0 && numThreads > 2 && steps.some(writesParquet)) startEncodeWorker();
}

/** Ends those that have nothing to do. */
export function endIdleWorkers(): void {
  endIdleDecodeWorkers();
  endIdleEncodeWorker();
}

function isParquet(file: string): boolean {
  return file.endsWith(".parquet");
}

function writesParquet({ step }: PlacedStep): boolean {
  return step.role === "sink" && step.writes !== undefined && isParquet(step.writes);
}

/** Whether what is read first goes to a verb that wants more than a few rows. */
function readsAll([first, second]: readonly PlacedStep[]): boolean {
  if (first?.step.role !== "source") return false;
  return second === undefined ? !Deno.stdout.isTerminal() : second.verb.wantsFewRows !== true;
}
