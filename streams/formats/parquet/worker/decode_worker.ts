/**
 * The reader's side of threads that decode Parquet files: starts them, keeps them for the next
 * file, and ends them. Imports nothing of the library, so that a command can start one before the
 * library is loaded.
 *
 * @module
 */

import { WorkerLostError } from "../../../../base/errors/device_error.ts";
import { Inbox } from "../../../../base/threads/inbox.ts";
import { ThreadLife } from "../../../../base/threads/life.ts";
import { canStart, type Thread, threadStarter } from "../../../../base/threads/thread.ts";
import type { ControlMessage, FromDecodeWorker, Job, ToDecodeWorker } from "./messages.ts";

/** The program of a worker. */
const program = new URL("./worker_main.ts", import.meta.url);

/**
 * The workers without a job. They end themselves after a while without one, unless they are to
 * stay.
 */
let idle: DecodeWorker[] = [];
const all = new Set<DecodeWorker>();
let isAllowed = false;
let mayStart = true;

/**
 * Allows workers. Only commands call it, since they end the process: a worker that waits for a
 * reader who left silently would keep any other program from ending.
 */
export function allowDecodeWorkers(): void {
  isAllowed = true;
}

/**
 * The milliseconds after a job during which a thread still counts as busy: the last batch is
 * computed before another thread could have started.
 */
const lastBatchMs = 100;

/**
 * Returns the number of threads with a file to decode, including those that wait for the reader.
 * Starting compute threads in such pauses costs more time than it saves, and each takes memory.
 */
export function numDecodingThreads(): number {
  let count = 0;
  for (const { hasJob } of all) if (hasJob) count++;
  return count;
}

/** Returns a worker that can take a job. With `start`, starts one if there is none. */
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
 * Starts a worker for jobs to come, which waits for them until it is ended. It begins to decode the
 * files in `expected`, all of whose rows will be requested in this order, if it may read them.
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

/** The options of a worker at its start. */
type StartOptions = Pick<ControlMessage, "stays" | "expected">;

/** Starts a worker; undefined where none can start, since workers only save time. */
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
    // This runtime cannot start workers.
  }
  mayStart = false;
  return undefined;
}

/** A thread that decodes files, one job at a time. */
export class DecodeWorker {
  readonly #thread: Thread<ToDecodeWorker>;
  readonly #life = new ThreadLife();
  readonly #answers = new Inbox<FromDecodeWorker>();
  #isLost = false;
  #hasEnded = false;
  /** The time, by `performance.now()`, from which on it counts as free. */
  #freeMs = 0;

  constructor(options: StartOptions) {
    const start = threadStarter<ToDecodeWorker, FromDecodeWorker>(program);
    this.#thread = start({
      onMessage: (answer) => this.#answers.put(answer),
      onLost: (reason) => this.#lose(reason),
    });
    this.#thread.send({ kind: "control", life: this.#life.words, ...options });
  }

  /** Whether it has a job whose answers were not all read, or had one a moment ago. */
  get hasJob(): boolean {
    return performance.now() < this.#freeMs;
  }

  /** Whether it has failed, or ended itself. */
  get isGone(): boolean {
    return this.#isLost || this.#life.isGone;
  }

  /** Keeps the worker from ending itself. Returns false if it just has. */
  claim(): boolean {
    return this.#life.claim();
  }

  /** Gives the worker a job. The one before must have ended. */
  begin(job: Job): void {
    this.#freeMs = Infinity;
    this.#thread.send(job);
  }

  /** Allows it to decode this many more bytes ahead. */
  took(numBytes: number): void {
    this.#thread.send({ kind: "took", numBytes });
  }

  /** Returns its next answer. Throws a WorkerLostError if the worker fails. */
  next(): Promise<FromDecodeWorker> {
    return this.#answers.next();
  }

  /** Keeps the worker for the next job, after this one has ended. */
  release(): void {
    this.#freeMs = performance.now() + lastBatchMs;
    if (!this.#hasEnded) idle.push(this);
  }

  /**
   * Ends the worker, even in the middle of a job: a caller that waits for an answer gets an error.
   */
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
