/**
 * Ends the process from another thread on a signal, for commands whose main thread may be busy for long:
 * Deno delivers a signal only after the running code has returned.
 *
 * @module
 */

import { watchPartials } from "../../base/partial_paths.ts";
import { canStart, type Thread, threadStarter } from "../../base/threads/thread.ts";
import { interruptSignals } from "./early_exit.ts";
import type { PathMessage, WatchAnswer, WatchMessage } from "./interrupt_main.ts";

const program = new URL("./interrupt_main.ts", import.meta.url);

/** A thread that waits for signals until this object is disposed. */
export class InterruptWatch implements Disposable {
  /** Fulfilled with true once the thread listens; with false if it cannot. */
  readonly isListening: Promise<boolean>;
  readonly #thread: Thread<PathMessage | WatchMessage> | undefined;
  readonly #first = new Int32Array(new SharedArrayBuffer(4));

  /**
   * `onSignal` is called on this thread with the first signal, and ends the process. If this thread is too
   * busy, the other thread ends the process; with `erases`, it erases the progress line first.
   */
  constructor(erases: boolean, onSignal: (signal: Deno.Signal) => void) {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.isListening = promise;
    if (!canWatch()) {
      resolve(false);
      return;
    }
    const thread = threadStarter<PathMessage | WatchMessage, WatchAnswer>(program)({
      onMessage: (answer) => {
        if (answer === "ready") resolve(true);
        else onSignal(answer);
      },
      onLost: () => resolve(false),
    });
    this.#thread = thread;
    const shared = this.#first.buffer as SharedArrayBuffer;
    thread.send({ signals: interruptSignals, erases, shared });
    watchPartials((path, isNoted) => thread.send({ path, isNoted }));
  }

  /** The first signal that arrived. A later failure may be due to files that were removed. */
  get signal(): Deno.Signal | undefined {
    return interruptSignals[Atomics.load(this.#first, 0) - 1];
  }

  [Symbol.dispose](): void {
    if (this.#thread === undefined) return;
    watchPartials(undefined);
    this.#thread.end();
  }
}

/** Whether a thread may end this process by a signal without a prompt. */
function canWatch(): boolean {
  if (Deno.build.os === "windows" || !canStart(program)) return false;
  return Deno.permissions.querySync({ name: "run" }).state === "granted";
}
