/**
 * A thread that encodes a Parquet file, as the one sees it that writes the file. Loads nothing of the
 * library, so that a command can start one before it is there.
 *
 * @module
 */

import type { FromEncodeWorker, ToEncodeWorker } from "./encode_messages.ts";
import { canLoad } from "../../../../base/worker_program.ts";

/** Where the program of the worker lies. */
const program = new URL("./encode_main.ts", import.meta.url);

/** The worker that waits for a file, and those that have one. */
let idle: EncodeWorker | undefined;
const busy = new Set<EncodeWorker>();

/**
 * Starts a worker for the next file. Only a command does, which ends its process: one that waits for
 * rows of a writer who has left would keep any other program from ending.
 */
export function startEncodeWorker(): void {
  try {
    if (canLoad(program)) idle ??= new EncodeWorker();
  } catch {
    // Workers only save time: the file is encoded on this thread.
  }
}

/** The worker for a file, if one was started. */
export function claimEncodeWorker(): EncodeWorker | undefined {
  const worker = idle;
  idle = undefined;
  if (worker !== undefined) busy.add(worker);
  return worker;
}

/** Ends the worker that has no file. */
export function endIdleEncodeWorker(): void {
  idle?.end();
  idle = undefined;
}

/** Threads that are encoding. */
export function numEncodingThreads(): number {
  return busy.size;
}

/** A worker. */
export class EncodeWorker {
  readonly #worker: Worker;
  readonly #answers: FromEncodeWorker[] = [];
  #wake: (() => void) | undefined;

  constructor() {
    this.#worker = new Worker(program, { type: "module" });
    this.#worker.addEventListener("message", ({ data }) => this.#take(data));
    const onError = (event: Event) => {
      event.preventDefault();
      const reason = (event as ErrorEvent).message ?? "it sent what cannot be read";
      this.#take({ kind: "failed", problem: `the thread that encodes it failed: ${reason}` });
    };
    this.#worker.addEventListener("error", onError);
    this.#worker.addEventListener("messageerror", onError);
  }

  /** Sends a message, and hands memory over with it. */
  post(message: ToEncodeWorker, transfer: ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  /** Its next answer, if it is there. */
  poll(): FromEncodeWorker | undefined {
    return this.#answers.shift();
  }

  /** Its next answer. */
  async next(): Promise<FromEncodeWorker> {
    while (this.#answers.length === 0) await new Promise<void>((resolve) => this.#wake = resolve);
    return this.#answers.shift()!;
  }

  /** Ends it, at once. */
  end(): void {
    busy.delete(this);
    this.#worker.terminate();
  }

  #take(answer: FromEncodeWorker): void {
    this.#answers.push(answer);
    this.#wake?.();
  }
}
