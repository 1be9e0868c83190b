/**
 * Threads that decode Parquet files, as those see them who read: started, kept for the next file, and
 * ended. Loads nothing, so that a command can start one before the library is there.
 *
 * @module
 */

import { WorkerLostError } from "../../../../base/errors/device_error.ts";
import {
  control,
  type ControlMessage,
  type FromDecodeWorker,
  type Job,
  life,
  type ToDecodeWorker,
} from "./messages.ts";
import { canLoad } from "../../../../base/worker_program.ts";

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

/** A worker that can take a job. With `start` one is started where there is none. */
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
    if (canLoad(program)) {
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
  readonly #worker: Worker;
  readonly #shared = new Int32Array(new SharedArrayBuffer(4 * control.words));
  readonly #answers: FromDecodeWorker[] = [];
  #wake: (() => void) | undefined;
  #failure: WorkerLostError | undefined;
  #hasEnded = false;
  /** From when on it has no job, by `performance.now()`. */
  #freeMs = 0;

  constructor(options: StartOptions) {
    this.#worker = new Worker(program, { type: "module" });
    this.#worker.addEventListener("message", ({ data }) => {
      this.#answers.push(data);
      this.#wake?.();
    });
    const onError = (event: Event) => {
      event.preventDefault();
      this.#lose((event as ErrorEvent).message ?? "it sent what cannot be read");
    };
    this.#worker.addEventListener("error", onError);
    this.#worker.addEventListener("messageerror", onError);
    this.#post({ kind: "control", memory: this.#shared.buffer, ...options });
  }

  /** Whether it has a job of which not all answers were read, or had one a moment ago. */
  get hasJob(): boolean {
    return performance.now() < this.#freeMs;
  }

  /** Whether it has failed, or ended itself. */
  get isGone(): boolean {
    return this.#failure !== undefined || Atomics.load(this.#shared, control.life) === life.gone;
  }

  /** Keeps the worker from ending itself; false if it just has. */
  claim(): boolean {
    return Atomics.compareExchange(this.#shared, control.life, life.idle, life.busy) === life.idle;
  }

  /** Gives it a job. Only if the one before has ended. */
  begin(job: Job): void {
    this.#freeMs = Infinity;
    this.#post(job);
  }

  /** Lets it decode as many more bytes ahead. */
  took(numBytes: number): void {
    this.#post({ kind: "took", numBytes });
  }

  /** Its next answer. Throws a WorkerLostError. */
  async next(): Promise<FromDecodeWorker> {
    for (;;) {
      const answer = this.#answers.shift();
      if (answer !== undefined) return answer;
      if (this.#failure !== undefined) throw this.#failure;
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }

  /** Keeps it for the next job, since this one has ended. */
  release(): void {
    this.#freeMs = performance.now() + lastBatchMs;
    if (!this.#hasEnded) idle.push(this);
  }

  /** Ends it, at once, also in the middle of a job: who waits for an answer gets an error. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    all.delete(this);
    this.#worker.terminate();
    this.#lose("it was ended");
  }

  #post(message: ToDecodeWorker): void {
    this.#worker.postMessage(message);
  }

  #lose(reason: string): void {
    this.#failure ??= new WorkerLostError(`the thread that decodes it failed: ${reason}`);
    this.#wake?.();
  }
}
