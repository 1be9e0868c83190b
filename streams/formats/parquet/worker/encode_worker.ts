/**
 * The writer's side of the thread that encodes a Parquet file. Imports nothing of the library, so
 * that a command can start one before the library is loaded.
 *
 * @module
 */

import type { FromEncodeWorker, ToEncodeWorker } from "./encode_messages.ts";
import { Inbox } from "../../../../base/threads/inbox.ts";
import { canStart, type Thread, threadStarter } from "../../../../base/threads/thread.ts";

/** The program of the worker. */
const program = new URL("./encode_main.ts", import.meta.url);

/** The worker that waits for a file, and the workers that have one. */
let idle: EncodeWorker | undefined;
const busy = new Set<EncodeWorker>();

/**
 * Starts a worker for the next file. Only commands call it, since they end the process: a worker
 * that waits for rows of a writer who has left would keep any other program from ending.
 */
export function startEncodeWorker(): void {
  try {
    if (canStart(program)) idle ??= new EncodeWorker();
  } catch {
    // Workers only save time: without one the file is encoded on this thread.
  }
}

/** Returns the worker for a file, if one was started. */
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

/** Returns the number of threads that encode a file. */
export function numEncodingThreads(): number {
  return busy.size;
}

/** A thread that encodes one file. */
export class EncodeWorker {
  readonly #thread: Thread<ToEncodeWorker>;
  readonly #answers = new Inbox<FromEncodeWorker>();

  constructor() {
    this.#thread = threadStarter<ToEncodeWorker, FromEncodeWorker>(program)({
      onMessage: (answer) => this.#answers.put(answer),
      onLost: (reason) => {
        const problem = `the thread that encodes it failed: ${reason}`;
        this.#answers.put({ kind: "failed", problem });
      },
    });
  }

  /** Sends a message, and transfers memory with it. */
  post(message: ToEncodeWorker, transfer: ArrayBuffer[] = []): void {
    this.#thread.send(message, transfer);
  }

  /** Returns its next answer, if that has come. */
  poll(): FromEncodeWorker | undefined {
    return this.#answers.poll();
  }

  /** Returns its next answer. */
  next(): Promise<FromEncodeWorker> {
    return this.#answers.next();
  }

  /** Ends the worker, even in the middle of its work. */
  end(): void {
    busy.delete(this);
    this.#thread.end();
  }
}
