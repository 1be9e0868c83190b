/**
 * Starts the thread that decodes the Parquet file of a command while the library is being loaded. Loads
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

export { endIdleDecodeWorkers };

/** Verbs that take few rows of what is read, or none. */
const fewRows = ["head", "tail", "slice", "at", "take", "show", "count", "schema", "explain"];

/**
 * Allows such threads, and starts one if the command reads all of a large Parquet file; a mistake in it
 * is found later.
 */
export function startWorkerFor(words: readonly string[]): void {
  if (environmentVariable("SLUICE_THREADS") === "1" || navigator.hardwareConcurrency < 2) return;
  allowDecodeWorkers();
  if (words.includes("--help") || !readsAll(words)) return;
  if (words.some((word) => word.endsWith(".parquet") && isLargeFile(word))) startDecodeWorker();
}

/** Whether what is read first goes to a verb that wants more than a few rows. */
function readsAll(words: readonly string[]): boolean {
  if (!words.includes("read")) return false;
  const then = words.indexOf("then");
  return then < 0 ? !Deno.stdout.isTerminal() : !fewRows.includes(words[then + 1] ?? "");
}
