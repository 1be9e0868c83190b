/**
 * The threads of a backend for kernels: when they start, which batches are divided, and when that
 * pays.
 *
 * @module
 */

import { Crew } from "../../../base/threads/crew.ts";
import { mostThreads } from "../../../base/threads/thread.ts";
import type { HostColumn } from "../../column/column.ts";
import type { CompiledRows } from "../kernels/compiled_kernel.ts";
import type { KernelResult } from "../kernels/kernel_result.ts";
import { type KernelWork, rowBytes } from "../kernels/kernel_work.ts";
import { sharedRuntime } from "../runtime/shared_runtime.ts";
import type { ThreadOptions } from "./thread_options.ts";
import { WorkerHandle } from "./worker_handle.ts";
import { definitionOf } from "./fill_slot.ts";
import { layout, MAX_ARRAYS } from "./layout.ts";
import { Pace } from "./pace.ts";
import { type Split, SplitRun } from "./split_run.ts";

/** The rows, and the milliseconds of work, below which a batch is not worth dividing. */
const MIN_ROWS = 8192;
const MIN_MS = 0.3;
/**
 * The milliseconds of work per byte read or written below which copies for workers cost too much.
 */
const MIN_MS_PER_BYTE = 0.15e-6;
/**
 * Milliseconds of work that a worker could have shared before one starts, which takes about 12.
 * They double with each start, up to a limit, until workers prove useful again.
 */
const MS_BEFORE_START = 25;
const MAX_MS_BEFORE_START = 6400;
/**
 * The parts of a batch for each thread, so that none waits long for another; and the rows of a
 * part.
 */
const PARTS_PER_THREAD = 4;
const MIN_PART_ROWS = 1024;
const MAX_PART_ROWS = 8192;
/** The parts after which a worker's code is fully optimized. */
const WARM_PARTS = 6;
/** The bytes that a part should fill of its slot, since rows differ in size. */
const PLANNED_BYTES = 0.6 * layout.slotBytes;
const MAX_DEFINITION_BYTES = layout.slotBytes / 4;

/** The parameters of kernels that a worker has: values of the part, and functions. */
const workerParameters: ReadonlySet<string> = new Set([
  ...["$rows", "$result", "$offsets", "$validity", "$grow"],
  ...Object.keys(sharedRuntime),
]);

/** The definition of a kernel, and what earlier batches taught about it. */
interface Known {
  readonly number: number;
  readonly definition: Uint8Array;
  readonly pace: Pace;
  /** The bytes of text of a row of the result. */
  bytesPerRow: number;
}

/**
 * Runs kernels on this thread, and also on workers if that is faster. Workers start after there was
 * work for them for a while, leave after a tenth of a second without any, and may start again.
 * Where no worker can run (no shared memory, no workers, a page that may not wait), this thread
 * does everything.
 */
export class HostThreads {
  /**
   * The number of parts that workers computed, and of those computed here because a worker was
   * late.
   */
  numTheirs = 0;
  numLate = 0;
  /** The number of parts that failed only on a worker, and of workers that an error ended. */
  numFailed = 0;
  readonly #maxWorkers: number;
  readonly #always: boolean;
  /** Null for kernels that only run here. */
  readonly #known = new WeakMap<CompiledRows, Known | null>();
  readonly #crew: Crew<WorkerHandle>;
  #numKernels = 0;

  constructor({ threads, numElsewhere, start, always = false }: ThreadOptions = {}) {
    this.#maxWorkers = mostThreads(threads) - 1;
    this.#always = always;
    this.#crew = new Crew({
      start: () => new WorkerHandle(start),
      most: this.#maxWorkers,
      numElsewhere,
      startMs: MS_BEFORE_START,
      maxStartMs: MAX_MS_BEFORE_START,
      always,
      onGone: ({ isBroken, wasHere }) => {
        if (isBroken && wasHere) this.numFailed++;
      },
    });
  }

  /** The number of running workers. */
  get numWorkers(): number {
    return this.#crew.members.filter(({ isHere }) => isHere).length;
  }

  /**
   * Runs a kernel over the rows of a batch. Throws what `runAll` throws, which runs it on this
   * thread.
   */
  run(work: KernelWork, runAll: () => KernelResult): KernelResult {
    if (this.#maxWorkers === 0 || work.numRows < this.minRows) return runAll();
    const known = this.#knownOf(work);
    if (known === null) return runAll();
    return this.#runTogether(known, work, runAll) ?? this.#runAlone(known, work, runAll);
  }

  /** Ends the workers; later work is done on this thread. */
  close(): void {
    this.#crew.close();
  }

  /** The rows of a batch from which it may be divided. */
  get minRows(): number {
    return this.#always ? 16 : MIN_ROWS;
  }

  #knownOf({ code, arrays }: KernelWork): Known | null {
    let known = this.#known.get(code);
    if (known === undefined) {
      known = isForWorkers(code) ? this.#define(definitionOf(code, arrays)) : null;
      this.#known.set(code, known);
    }
    return known;
  }

  #define(text: string): Known | null {
    const definition = new TextEncoder().encode(text);
    if (definition.length > MAX_DEFINITION_BYTES) return null;
    return { number: this.#numKernels++, definition, pace: new Pace(), bytesPerRow: 0 };
  }

  #runAlone(
    known: Known,
    { columns, numRows }: KernelWork,
    runAll: () => KernelResult,
  ): KernelResult {
    const start = performance.now();
    const result = runAll();
    const ms = performance.now() - start;
    if (this.#isWorthIt(known, columns, numRows)) this.#crew.noteWork(ms);
    known.pace.noteAlone(ms, numRows);
    if (result.kind === "column") known.bytesPerRow = result.column.data.length / numRows;
    return result;
  }

  /** Returns null if this thread alone is faster. Throws what `runAll` throws. */
  #runTogether(known: Known, work: KernelWork, runAll: () => KernelResult): KernelResult | null {
    const { pace, number, definition } = known;
    const { columns, numRows } = work;
    if (!this.#always && !this.#isWorthIt(known, columns, numRows)) return null;
    const workers = this.#crew.ready().filter(({ isHere }) => isHere);
    if (workers.length === 0) return null;
    const start = performance.now();
    const split = this.#splitOf(columns, numRows, known.bytesPerRow);
    if (split === null) return null;
    const isWarm = workers.every((worker) => worker.numDone(known.number) >= WARM_PARTS);
    const run = new SplitRun({ ...work, number, definition }, split, workers);
    try {
      const result = run.run();
      if (result.kind !== "column") return result;
      known.bytesPerRow = result.column.data.length / numRows;
      pace.noteTogether(performance.now() - start, numRows, isWarm);
      if (pace.isProven) this.#crew.noteUse();
      return result;
    } catch {
      const result = runAll();
      // A part may fail at a row before the one that is not ASCII, at which `runAll` stops.
      if (result.kind === "column") this.numFailed++;
      return result;
    } finally {
      this.numTheirs += run.numTheirs;
      this.numLate += run.numLate;
      this.numFailed += run.numFailed;
    }
  }

  #isWorthIt({ pace, bytesPerRow }: Known, columns: readonly HostColumn[], numRows: number) {
    const ms = pace.expectedMs(numRows) ?? 0;
    const numBytes = numRows * (rowBytes(columns, numRows) + bytesPerRow);
    return pace.how === "together" && ms >= MIN_MS && ms >= numBytes * MIN_MS_PER_BYTE;
  }

  /** Divides a batch; returns null if its rows are too large for slots. */
  #splitOf(
    columns: readonly HostColumn[],
    numRows: number,
    lastBytesPerRow: number,
  ): Split | null {
    const bytesOut = lastBytesPerRow * 1.05;
    const rowsThatFit = PLANNED_BYTES / (rowBytes(columns, numRows) + bytesOut + 8);
    const share = numRows / (PARTS_PER_THREAD * (this.#maxWorkers + 1));
    const rows = Math.min(Math.max(share, MIN_PART_ROWS), MAX_PART_ROWS, rowsThatFit);
    const partRows = this.#always ? 8 : Math.ceil(rows / 64) * 64;
    return rows < 64 ? null : { partRows, bytesPerRow: bytesOut };
  }
}

/** Whether a kernel uses only functions and arrays that a worker has. */
function isForWorkers({ ir, convention, wasm }: CompiledRows): boolean {
  if (convention.arrays.length > MAX_ARRAYS) return false;
  if (wasm !== null) return true;
  return ir.type.kind !== "list" &&
    convention.fixed.every((name) => workerParameters.has(name)) &&
    convention.arrays.every(({ array }) => array !== "items" && array !== "itemsValid") &&
    ir.columnTypes.every(({ kind }) => kind !== "list" && kind !== "struct");
}
