/**
 * Threads that decode Parquet files, as those see them who read: started, kept for the next file, and
 * ended. Loads nothing, so that a command can start one before the library is there.
 *
 * @module
 */

import { WorkerLostError } from "../../../../base/errors/device_error.ts";
import { Inbox } from "../../../../base/threads/inbox.ts";
import { ThreadLife } from "../../../../base/threads/life.ts";
import { canStart, type Thread, threadStarter } from "../../../../base/threads/thread.ts";
import type { ControlMessage, FromDecodeWorker, Job, ToDecodeWorker } from "./messages.ts";

/** Where the program of a worker lies. */
const program = new URL("./worker_main.ts", import.meta.url);

/** Workers without a job; they end themselves when they had none for a while, unless they are to stay. */
let idle: DecodeWorker[] = [];
const all = new Set<DecodeWorker>();
let isAllowed = false;
let mayStart = true;

/**
 * Allows workers. Only a command does, which ends its process: one that waits for a reader who has left
 * without a word would keep any other program from ending.
 */
export function allowDecodeWorkers(): void {
  isAllowed = true;
}

/**
 * Milliseconds after a job for which a thread still counts as having one: the last batch is computed
 * sooner than a thread that computes has started.
 */
const lastBatchMs = 100;

/**
 * Threads that have a file to decode, also while they wait for the reader: threads that compute, started
 * in such pauses, cost more time than they saved, and each holds memory.
 */
export function numDecodingThreads(): number {
  let count = 0;
  for (const { hasJob } of all) if (hasJob) count++;
  return count;
}

/** Returns a worker that can take a job. With `start` one is started where there is none. */
export function claimDecodeWorker(
  { start }: { readonly start: boolean },
): DecodeWorker | undefined {
  const waiting = idle;
  idle = [];
  let claimed: DecodeWorker | undefined;
  for (const worker of waiting) {
    if (worker.isGone) worker.end();
    else if (claimed === undefined && worker.claim()) claimed = worker;
    else idle.push(worker);
  }
  if (claimed !== undefined || !start) return claimed;
  const worker = startWorker({ stays: false, expected: [] });
  return worker?.claim() ? worker : undefined;
}

/**
 * Starts a worker for the jobs that will come, which waits for them until it is ended. It begins to
 * decode files that may be read and of which all rows are `expected` to be asked for, in this order.
 */
export function startDecodeWorker(expected: readonly string[]): void {
  const worker = startWorker({ stays: true, expected });
  if (worker !== undefined) idle.push(worker);
}

/** Ends the workers that have no job. */
export function endIdleDecodeWorkers(): void {
  for (const worker of idle) worker.end();
  idle = [];
}

/** How a worker starts. */
type StartOptions = Pick<ControlMessage, "stays" | "expected">;

/** Workers only save time: where none can start, undefined. */
function startWorker(options: StartOptions): DecodeWorker | undefined {
  if (!isAllowed || !mayStart || all.size >= (globalThis.navigator?.hardwareConcurrency ?? 1)) {
    return undefined;
  }
  try {
    if (canStart(program)) {
      const worker = new DecodeWorker(options);
      all.add(worker);
      return worker;
    }
  } catch {
    // There is nothing to start one with.
  }
  mayStart = false;
  return undefined;
}

/** A worker. */
export class DecodeWorker {
  readonly #thread: Thread<ToDecodeWorker>;
  readonly #life = new ThreadLife();
  readonly #answers = new Inbox<FromDecodeWorker>();
  #isLost = false;
  #hasEnded = false;
  /** From when on it has no job, by `performance.now()`. */
  #freeMs = 0;

  constructor(options: StartOptions) {
    const start = threadStarter<ToDecodeWorker, FromDecodeWorker>(program);
    this.#thread = start({
      onMessage: (answer) => this.#answers.put(answer),
      onLost: (reason) => this.#lose(reason),
    });
    this.#thread.send({ kind: "control", life: this.#life.words, ...options });
  }

  /** Whether it has a job of which not all answers were read, or had one a moment ago. */
  get hasJob(): boolean {
    return performance.now() < this.#freeMs;
  }

  /** Whether it has failed, or ended itself. */
  get isGone(): boolean {
    return this.#isLost || this.#life.isGone;
  }

  /** Keeps the worker from ending itself; false if it just has. */
  claim(): boolean {
    return this.#life.claim();
  }

  /** Gives it a job. Only if the one before has ended. */
  begin(job: Job): void {
    this.#freeMs = Infinity;
    this.#thread.send(job);
  }

  /** Lets it decode as many more bytes ahead. */
  took(numBytes: number): void {
    this.#thread.send({ kind: "took", numBytes });
  }

  /** Its next answer. Throws a WorkerLostError. */
  next(): Promise<FromDecodeWorker> {
    return this.#answers.next();
  }

  /** Keeps it for the next job, since this one has ended. */
  release(): void {
    this.#freeMs = performance.now() + lastBatchMs;
    if (!this.#hasEnded) idle.push(this);
  }

  /** Ends it, also in the middle of a job: whoever waits for an answer gets an error. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    all.delete(this);
    this.#thread.end();
    this.#lose("it was ended");
  }

  #lose(reason: string): void {
    this.#isLost = true;
    this.#answers.fail(new WorkerLostError(`the thread that decodes it failed: ${reason}`));
  }
}
