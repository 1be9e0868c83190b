/**
 * Threads that compute parts of the work of owners, such as the probe batches of join tables.
 *
 * @module
 */

import { Crew } from "../../../base/threads/crew.ts";
import { columnBytes, type HostColumn } from "../../column/column.ts";
import { newWork, type Work } from "../table/work.ts";
import type { PartBatch } from "./part_batch.ts";
import { PartWorker, type StartPartWorker } from "./part_worker.ts";

/** The fewest rows of a batch that is worth sending. */
const MIN_ROWS = 8192;
/**
 * The most rows and bytes of a batch that is sent: copies of larger ones would take too much
 * memory.
 */
const MAX_ROWS = 1 << 18;
const MAX_BYTES = 64 << 20;
/**
 * Milliseconds of work on the main thread before a worker starts, which takes about 12. They double
 * with each start, up to a limit.
 */
const MS_BEFORE_START = 8;
const MAX_MS_BEFORE_START = 1000;
/** The rows of an owner that takes longer to build than a worker takes to start. */
const MIN_OWNER_ROWS = 1 << 18;
/**
 * The time to wait for the answer to a batch: a multiple of the time that it would take on this
 * thread, plus milliseconds. It is enough for a worker on a busy machine whose code is not compiled
 * yet and that reads the memory of the owner for the first time: computing a batch again costs more
 * than waiting.
 */
const PATIENCE = 30;
const PATIENCE_MS = 100;
/** The same in tests, whose workers may never answer. */
const ALWAYS_PATIENCE_MS = 50;
/** Milliseconds after which a worker that does not answer is ended. */
const MAX_BUSY_MS = 2000;
/**
 * The number of batches that are not sent after an answer that came too late, as happens on a busy
 * machine. It doubles each time, and halves with each answer in time.
 */
const FIRST_PAUSE = 4;
const MAX_PAUSE = 32;
/** The batches in flight for each worker: those that it has, and some that are answered. */
const DEPTH_PER_WORKER = 8;

/** Options for the threads of parts. */
export interface PartThreadOptions<State, Batch, Answer> {
  /** The number of threads that compute, including this one; 1 for no workers. */
  readonly threads: number;
  /** Returns how many of these threads have work elsewhere. Default: none. */
  readonly numElsewhere?: (() => number) | undefined;
  /** Starts a worker. */
  readonly start: StartPartWorker<State, Batch, Answer>;
  /** Whether workers get every batch that they can take; for tests. */
  readonly always?: boolean | undefined;
}

/** A part of the work of an owner. */
interface Part<State, Batch> {
  /**
   * The state of the owner, from which a thread makes its function; a new object after each change.
   */
  readonly state: State;
  readonly batch: Batch;
}

/**
 * Computes whole batches on workers while this thread computes others. A batch goes to a worker
 * that can take it, or else is computed on this thread. Workers start after there was work for them
 * for a while, or while a large owner is built. They keep the program from ending, so they leave
 * after half a second without work, or sooner when no owner is in use; the next owner, such as
 * another partition, often follows soon.
 *
 * Every batch gets its result: this thread computes what a worker does not answer in time, or
 * cannot compute. The result does not depend on the thread: the same functions return the same
 * bytes everywhere.
 */
export class PartThreads<
  Owner extends object,
  State extends object,
  Batch extends PartBatch,
  Answer,
> {
  /** The number of batches that workers computed. */
  numTheirs = 0;
  /** The number of batches that were computed here because a worker was late. */
  numLate = 0;
  readonly #maxWorkers: number;
  #work: Work | undefined;
  readonly #always: boolean;
  readonly #crew: Crew<PartWorker<State, Batch, Answer>>;
  /** The numbers of the owners in use. The garbage collector may remove one that nobody removed. */
  readonly #owners = new WeakMap<Owner, number>();
  #numOwners = 0;
  /** The milliseconds that a row takes on this thread. */
  #msPerRow = 0;
  #pause = 0;
  #numPaused = 0;
  #numFailed = 0;

  constructor(
    { threads, numElsewhere, start, always = false }: PartThreadOptions<State, Batch, Answer>,
  ) {
    this.#maxWorkers = threads - 1;
    this.#always = always;
    this.#crew = new Crew({
      start: () => new PartWorker(start),
      most: this.#maxWorkers,
      numElsewhere,
      startMs: MS_BEFORE_START,
      maxStartMs: MAX_MS_BEFORE_START,
      always,
      onGone: ({ numFailed }) => this.#numFailed += numFailed,
    });
  }

  /** The memory that this thread computes with, from the first owner on. */
  get work(): Work {
    return this.#work ??= newWork();
  }

  /** The number of running workers. */
  get numWorkers(): number {
    return this.#crew.members.filter(({ isHere }) => isHere).length;
  }

  /**
   * The number of batches that failed only on a worker, plus that of workers that an error ended.
   */
  get numFailed(): number {
    return this.#crew.members.reduce((sum, { numFailed }) => sum + numFailed, this.#numFailed);
  }

  /** The useful number of batches in flight. */
  get depth(): number {
    return 1 + DEPTH_PER_WORKER * this.numWorkers;
  }

  /** Announces an owner of `numRows` rows; for a large one, a worker starts while it is built. */
  expect(numRows: number): void {
    const hasWorker = this.#crew.members.some(({ isGone }) => !isGone);
    if (numRows >= MIN_OWNER_ROWS && !hasWorker) this.#crew.ready(true);
  }

  /** Registers an owner that is in use. */
  add(owner: Owner): void {
    this.#owners.set(owner, this.#numOwners++);
  }

  /** Unregisters an owner. */
  remove(owner: Owner): void {
    const number = this.#owners.get(owner);
    if (number === undefined) return;
    this.#owners.delete(owner);
    for (const worker of this.#crew.members) worker.forget(number);
  }

  /** Records the time that rows took on this thread; after enough of it, a worker starts. */
  noteAlone(ms: number, numRows: number): void {
    this.#crew.noteWork(ms);
    if (numRows >= MIN_ROWS) this.#msPerRow = ms / numRows;
  }

  /**
   * Sends a part to a worker. `partOf` makes it; `columns` are its contents. The calling thread has
   * to compute it if this is undefined, or if the answer is null.
   */
  compute(
    owner: Owner,
    columns: readonly HostColumn[],
    partOf: () => Part<State, Batch>,
  ): Promise<Answer | null> | undefined {
    const always = this.#always;
    const numRows = columns[0]!.length;
    if (this.#maxWorkers < 1 || numRows < (always ? 1 : MIN_ROWS)) return;
    const of = this.#owners.get(owner);
    for (const worker of this.#crew.members) if (worker.busyMs > MAX_BUSY_MS) worker.close();
    const worker = this.#crew.ready().find(({ isFree }) => isFree);
    if (worker === undefined || of === undefined) return;
    if (!always && this.#numPaused-- > 0) return;
    if (numRows > MAX_ROWS || !isSmall(columns)) return;
    const patienceMs = always
      ? ALWAYS_PATIENCE_MS
      : PATIENCE_MS + PATIENCE * this.#msPerRow * numRows;
    return this.#await(worker, worker.compute({ ...partOf(), of, patienceMs }));
  }

  async #await(
    worker: PartWorker<State, Batch, Answer>,
    sent: Promise<Answer | null>,
  ): Promise<Answer | null> {
    const before = worker.numLate;
    const answer = await sent;
    if (answer !== null) {
      this.numTheirs++;
      this.#pause >>= 1;
    } else if (worker.numLate > before) {
      this.numLate++;
      this.#pause = Math.min(Math.max(2 * this.#pause, FIRST_PAUSE), MAX_PAUSE);
      this.#numPaused = this.#pause;
    }
    return answer;
  }

  /** Ends the workers; later work is done on this thread. */
  close(): void {
    this.#crew.close();
  }
}

/** Whether columns have few bytes, and their text has 32-bit offsets. */
function isSmall(columns: readonly HostColumn[]): boolean {
  return columns.every(({ offsets }) => !(offsets instanceof Float64Array)) &&
    columns.reduce((sum, column) => sum + columnBytes(column), 0) <= MAX_BYTES;
}
