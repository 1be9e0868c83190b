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

/** Batches of fewer rows are not worth sending. */
const MIN_ROWS = 8192;
/** Batches of more rows or bytes are not sent: their copies would take too much memory. */
const MAX_ROWS = 1 << 18;
const MAX_BYTES = 64 << 20;
/**
 * Milliseconds of work on the main thread before a worker is started; a start takes about 12. They
 * double with each start, up to a limit.
 */
const MS_BEFORE_START = 8;
const MAX_MS_BEFORE_START = 1000;
/** An owner of as many rows takes longer to build than a worker to start, which starts meanwhile. */
const MIN_OWNER_ROWS = 1 << 18;
/**
 * How long to wait for the answer to a batch: a multiple of what it would take here, plus
 * milliseconds. Long enough for a worker whose code is not compiled yet, and which sees the memory of the
 * owner for the first time, on a busy machine: to compute a batch again costs more than to wait.
 */
const PATIENCE = 30;
const PATIENCE_MS = 100;
/** The same in tests, whose workers may never answer. */
const ALWAYS_PATIENCE_MS = 50;
/** Milliseconds after which a worker that does not answer is ended. */
const MAX_BUSY_MS = 2000;
/**
 * Batches that are not sent to workers after an answer that came too late, as happens on a busy machine;
 * the number doubles each time, and halves with each answer in time.
 */
const FIRST_PAUSE = 4;
const MAX_PAUSE = 32;
/** Batches in flight for each worker: those that it has, and some with answers. */
const DEPTH_PER_WORKER = 8;

/** How parts use threads. */
export interface PartThreadOptions<State, Batch, Answer> {
  /** Threads that compute, this one included; 1 for no workers. */
  readonly threads: number;
  /** How many of these threads have work elsewhere. Default: none. */
  readonly numElsewhere?: (() => number) | undefined;
  /** Starts a worker. */
  readonly start: StartPartWorker<State, Batch, Answer>;
  /** For tests: whether workers get all batches that they have room for. */
  readonly always?: boolean | undefined;
}

/** A part of the work of an owner. */
export interface Part<State, Batch> {
  /** The state of the owner, from which the program makes a function; a new object after each change. */
  readonly state: State;
  readonly batch: Batch;
}

/**
 * Computes batches on workers, a whole one each, while this thread computes others: a batch goes to a
 * worker that takes it, and is computed here if none does. Workers start once there was work for them
 * for a while, or while a large owner is built. They leave after half a second without any, since they
 * keep a program from its end, or sooner when no owner is in use: the next one, as of another
 * partition, often follows soon.
 *
 * It always ends: this thread computes what a worker does not answer in time, or cannot compute. The
 * result does not depend on it: the same functions give the same bytes wherever they run.
 */
export class PartThreads<
  Owner extends object,
  State extends object,
  Batch extends PartBatch,
  Answer,
> {
  /** Batches that workers computed. */
  numTheirs = 0;
  /** Batches that were computed here because a worker was late. */
  numLate = 0;
  readonly #maxWorkers: number;
  #work: Work | undefined;
  readonly #always: boolean;
  readonly #crew: Crew<PartWorker<State, Batch, Answer>>;
  /** The numbers of the owners that are in use. One may be left without a word. */
  readonly #owners = new WeakMap<Owner, number>();
  #numOwners = 0;
  /** Milliseconds that a row takes here. */
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

  /** Workers that run. */
  get numWorkers(): number {
    return this.#crew.members.filter(({ isHere }) => isHere).length;
  }

  /** Batches that failed on a worker and not here, plus workers that an error ended. */
  get numFailed(): number {
    return this.#crew.members.reduce((sum, { numFailed }) => sum + numFailed, this.#numFailed);
  }

  /** The useful number of batches in flight. */
  get depth(): number {
    return 1 + DEPTH_PER_WORKER * this.numWorkers;
  }

  /** Notes that an owner of `numRows` rows is about to be built: a worker starts meanwhile for a large one. */
  expect(numRows: number): void {
    const hasWorker = this.#crew.members.some(({ isGone }) => !isGone);
    if (numRows >= MIN_OWNER_ROWS && !hasWorker) this.#crew.ready(true);
  }

  /** Notes that an owner is in use. */
  add(owner: Owner): void {
    this.#owners.set(owner, this.#numOwners++);
  }

  /** Notes that an owner is not used any more. */
  remove(owner: Owner): void {
    const number = this.#owners.get(owner);
    if (number === undefined) return;
    this.#owners.delete(owner);
    for (const worker of this.#crew.members) worker.forget(number);
  }

  /** Notes the time that rows took on this thread: a worker starts once it was enough. */
  noteAlone(ms: number, numRows: number): void {
    this.#crew.noteWork(ms);
    if (numRows >= MIN_ROWS) this.#msPerRow = ms / numRows;
  }

  /**
   * Sends a part to a worker; `columns` are what it consists of, and `partOf` makes it. Undefined if it
   * is to be computed here, as also where the answer is null.
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
    const worker = this.#crew.ready().find(({ hasRoom }) => hasRoom);
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

  /** Ends the workers; later work is done here. */
  close(): void {
    this.#crew.close();
  }
}

/** Whether columns are few bytes, and their text has offsets of 32 bits. */
function isSmall(columns: readonly HostColumn[]): boolean {
  return columns.every(({ offsets }) => !(offsets instanceof Float64Array)) &&
    columns.reduce((sum, column) => sum + columnBytes(column), 0) <= MAX_BYTES;
}
