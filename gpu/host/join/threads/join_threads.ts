/** @module */

import { Crew } from "../../../../base/threads/crew.ts";
import type { ResultLimits } from "../../../backend.ts";
import { columnBytes, type HostColumn } from "../../../column/column.ts";
import type { HostJoinTable, Probed } from "../join_table.ts";
import { answeredRows } from "../probe.ts";
import type { ProbeAnswer } from "../probe_answer.ts";
import { newWork, type Work } from "../../table/work.ts";
import { JoinWorker, type StartJoinWorker } from "./join_worker.ts";

/** Rows below which a batch is not worth to be sent. */
const MIN_ROWS = 8192;
/** Rows and bytes above which a batch is not sent: its copy would take too much memory. */
const MAX_ROWS = 1 << 18;
const MAX_BYTES = 64 << 20;
/**
 * Milliseconds of probing on the main thread before a worker is started; a start takes about 12. They
 * double with each start, up to a limit.
 */
const MS_BEFORE_START = 8;
const MAX_MS_BEFORE_START = 1000;
/** Rows of a table that takes longer to be built than a worker to start, which starts meanwhile. */
const MIN_TABLE_ROWS = 1 << 18;
/**
 * How long to wait for the answer to a batch: a multiple of what it would take here, plus
 * milliseconds. Long enough for a worker whose code is not compiled yet, which sees the memory of the
 * table for the first time, on a busy machine: to do a batch again costs more than to wait for it.
 */
const PATIENCE = 30;
const PATIENCE_MS = 100;
/** The same in tests, whose workers may never answer. */
const ALWAYS_PATIENCE_MS = 50;
/** Milliseconds after which a worker that does not answer is ended. */
const MAX_BUSY_MS = 2000;
/**
 * Batches that are not sent to workers after one that came too late, as happens on a busy machine;
 * the number doubles each time, and halves with each batch in time.
 */
const FIRST_PAUSE = 4;
const MAX_PAUSE = 32;
/** Batches in flight for each worker: those that it has, and some that are done. */
const DEPTH_PER_WORKER = 8;

/** How joins use threads. */
export interface JoinThreadOptions {
  /** Threads that probe, this one included; 1 where there are to be no workers. */
  readonly threads: number;
  /** How many of these threads have work elsewhere. Default: none. */
  readonly numElsewhere?: (() => number) | undefined;
  /** For tests: what starts a worker, and whether it gets all batches that it has room for. */
  readonly start?: StartJoinWorker | undefined;
  readonly always?: boolean | undefined;
}

/**
 * Probes batches on workers, a whole one each, while this thread does others: a batch goes to a worker
 * that has room, and is done here where none has. Workers start once there was work for them for a
 * while, or while a large table is built. They leave after half a second without any, since they keep
 * a program from its end, or sooner when no table is in use: the next one, as of another partition,
 * often follows at once.
 *
 * It always ends: whatever a worker does not answer in time, or cannot do, is done here. The result
 * does not depend on it: the same functions give the same bytes wherever they run.
 */
export class JoinThreads {
  /** Batches that workers did, and batches that were done here because a worker was late. */
  numTheirs = 0;
  numLate = 0;
  readonly #maxWorkers: number;
  #work: Work | undefined;
  readonly #always: boolean;
  readonly #crew: Crew<JoinWorker>;
  /** Tables that are in use, with a number each. One may be left without a word. */
  readonly #tables = new WeakMap<HostJoinTable, number>();
  #numTables = 0;
  /** Milliseconds that a row takes here. */
  #msPerRow = 0;
  #pause = 0;
  #numPaused = 0;
  #numFailed = 0;

  constructor({ threads, numElsewhere, start, always = false }: JoinThreadOptions) {
    this.#maxWorkers = threads - 1;
    this.#always = always;
    this.#crew = new Crew({
      start: () => new JoinWorker(start),
      most: this.#maxWorkers,
      numElsewhere,
      startMs: MS_BEFORE_START,
      maxStartMs: MAX_MS_BEFORE_START,
      always,
      onGone: ({ numFailed }) => this.#numFailed += numFailed,
    });
  }

  /** The memory that this thread probes with, from the first table on. */
  get work(): Work {
    return this.#work ??= newWork();
  }

  /** Workers that are running. */
  get numWorkers(): number {
    return this.#crew.members.filter(({ isHere }) => isHere).length;
  }

  /** Batches that failed on a worker and not here, and workers that an error ended. */
  get numFailed(): number {
    return this.#crew.members.reduce((sum, { numFailed }) => sum + numFailed, this.#numFailed);
  }

  /** The useful number of batches in flight. */
  get depth(): number {
    return 1 + DEPTH_PER_WORKER * this.numWorkers;
  }

  /** Notes that a table of so many rows is to be built: a worker starts meanwhile for a large one. */
  expect(numRows: number): void {
    const hasWorker = this.#crew.members.some(({ isGone }) => !isGone);
    if (numRows >= MIN_TABLE_ROWS && !hasWorker) this.#crew.ready(true);
  }

  /** Notes that a table is in use. */
  add(table: HostJoinTable): void {
    this.#tables.set(table, this.#numTables++);
  }

  /** Notes that a table is not used any more. */
  remove(table: HostJoinTable): void {
    const number = this.#tables.get(table);
    if (number === undefined) return;
    this.#tables.delete(table);
    for (const worker of this.#crew.members) worker.forget(number);
  }

  /** Notes what rows took on this thread: a worker starts once it was enough. */
  noteAlone(ms: number, numRows: number): void {
    this.#crew.noteWork(ms);
    if (numRows >= MIN_ROWS) this.#msPerRow = ms / numRows;
  }

  /** Sends a batch to a worker; undefined where it is to be probed here, as where the answer is null. */
  probe(
    table: HostJoinTable,
    key: HostColumn,
    columns: readonly HostColumn[],
    limits: ResultLimits,
  ): Promise<Probed | null> | undefined {
    const always = this.#always;
    if (this.#maxWorkers < 1 || key.length < (always ? 1 : MIN_ROWS)) return;
    const of = this.#tables.get(table);
    for (const worker of this.#crew.members) if (worker.busyMs > MAX_BUSY_MS) worker.close();
    const worker = this.#crew.ready().find(({ hasRoom }) => hasRoom);
    if (worker === undefined || of === undefined) return;
    if (!always && this.#numPaused-- > 0) return;
    if (key.length > MAX_ROWS || !isSmall([key, ...columns])) return;
    const patienceMs = always
      ? ALWAYS_PATIENCE_MS
      : PATIENCE_MS + PATIENCE * this.#msPerRow * key.length;
    const pieceRows = answeredRows(table, columns, limits);
    const { batch, places } = table.batchOf(key, columns, pieceRows);
    const part = { of, table: table.places, batch, patienceMs };
    return this.#await(worker, worker.probe(part), places);
  }

  async #await(
    worker: JoinWorker,
    sent: Promise<ProbeAnswer | null>,
    places: Probed["places"],
  ): Promise<Probed | null> {
    const before = worker.numLate;
    const answer = await sent;
    if (answer !== null) {
      this.numTheirs++;
      this.#pause >>= 1;
      return { answer, places };
    }
    if (worker.numLate > before) {
      this.numLate++;
      this.#pause = Math.min(Math.max(2 * this.#pause, FIRST_PAUSE), MAX_PAUSE);
      this.#numPaused = this.#pause;
    }
    return null;
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
