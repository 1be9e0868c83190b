/**
 * Starts the threads that decode and encode the Parquet files of a command while the library loads. Loads
 * nothing of the library itself.
 *
 * @module
 */

import {
  allowDecodeWorkers,
  endIdleDecodeWorkers,
  endIdleEncodeWorker,
  isLargeFile,
  isSmallFile,
  startDecodeWorker,
  startEncodeWorker,
} from "./library/parquet_threads.ts";
import { environmentVariable } from "../base/settings/environment.ts";
import { localPath } from "../base/url.ts";
import type { PlacedStep } from "./pipeline.ts";

/** Starts a thread for reading and one for writing if the command reads all of a large file. */
export function startWorkersFor(steps: readonly PlacedStep[]): void {
  const numThreads = Number(environmentVariable("SLUICE_THREADS") ?? Infinity);
  if (numThreads < 2 || navigator.hardwareConcurrency < 2) return;
  allowDecodeWorkers();
  if (!readsAll(steps)) return;
  const large = filesOf(steps).filter((file) => isLargeFile(localPath(file)));
  if (large.some(isParquet)) {
    startDecodeWorker(expectedOf(steps).filter((file) => large.includes(file)).map(localPath));
  }
  if (large.length > 0 && numThreads > 2 && steps.some(writesParquet)) startEncodeWorker();
}

/** Ends the idle threads. */
export function endIdleWorkers(): void {
  endIdleDecodeWorkers();
  endIdleEncodeWorker();
}

/** The size from which work on a file may take more than a second. */
const longBytes = 16 << 20;

/** Whether a command may be busy for long without a pause, because it reads a large file. */
export function mayTakeLong(steps: readonly PlacedStep[]): boolean {
  return !filesOf(steps).every((file) => isSmallFile(localPath(file), longBytes));
}

function filesOf(steps: readonly PlacedStep[]): readonly string[] {
  return steps.flatMap(({ step }) => step.role === "sink" ? [] : step.reads ?? []);
}

/** Returns the Parquet files whose rows and columns will all be read, in this order. */
function expectedOf(steps: readonly PlacedStep[]): readonly string[] {
  if (!steps.every(({ verb }) => verb.wantsAll === true)) return [];
  const whole = steps.filter(({ step }) => step.role !== "sink" && step.namesColumns !== true);
  const source = whole.filter(({ step }) => step.role === "source");
  // A join reads its build side first.
  const joined = whole.filter((step) => !source.includes(step));
  return filesOf([...joined, ...source]).filter(isParquet);
}

function isParquet(file: string): boolean {
  return file.endsWith(".parquet");
}

function writesParquet({ step }: PlacedStep): boolean {
  return step.role === "sink" && "writes" in step && isParquet(step.writes);
}

/** Whether the first verb after the source wants more than a few rows. */
function readsAll([first, second]: readonly PlacedStep[]): boolean {
  if (first?.step.role !== "source") return false;
  return second === undefined ? !Deno.stdout.isTerminal() : second.verb.wantsFewRows !== true;
}
