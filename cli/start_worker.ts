/**
 * Starts the thread that decodes the Parquet files of a command while the library is being loaded. Loads
 * nothing of it.
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
import type { PlacedStep } from "./pipeline.ts";

export { endIdleDecodeWorkers };

/** Allows such threads, and starts one if the command reads all of a large Parquet file. */
export function startWorkerFor(steps: readonly PlacedStep[]): void {
  if (environmentVariable("SLUICE_THREADS") === "1" || navigator.hardwareConcurrency < 2) return;
  allowDecodeWorkers();
  const files = steps.flatMap(({ step }) => step.role === "sink" ? [] : step.reads ?? []);
  const isLarge = (file: string) => file.endsWith(".parquet") && isLargeFile(localPath(file));
  if (readsAll(steps) && files.some(isLarge)) startDecodeWorker();
}

/** Whether what is read first goes to a verb that wants more than a few rows. */
function readsAll([first, second]: readonly PlacedStep[]): boolean {
  if (first?.step.role !== "source") return false;
  return second === undefined ? !Deno.stdout.isTerminal() : second.verb.wantsFewRows !== true;
}
