/**
 * Ends the process on a signal from another thread, for commands whose main thread may be busy for
 * long: Deno tells it of a signal only once its code has returned.
 *
 * @module
 */

import { watchPartials } from "../../base/partial_paths.ts";
import { canLoad } from "../../base/worker_program.ts";
import { interruptSignals } from "./early_exit.ts";
import type { PathMessage, WatchAnswer, WatchMessage } from "./interrupt_main.ts";

const program = new URL("./interrupt_main.ts", import.meta.url);

/** A thread that waits for signals, until it is disposed. */
export class InterruptWatch implements Disposable {
  /** Fulfilled once it listens; false if it cannot. */
  readonly isListening: Promise<boolean>;
  readonly #worker: Worker | undefined;
  readonly #first = new Int32Array(new SharedArrayBuffer(4));

  /**
   * `onSignal` is called on this thread with the first signal, and ends the process. If it does not
   * come to that, the other thread ends the process, and with `erases` the line of progress before.
   */
  constructor(erases: boolean, onSignal: (signal: Deno.Signal) => void) {
    this.#worker = canWatch() ? new Worker(program, { type: "module" }) : undefined;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.isListening = promise;
    if (this.#worker === undefined) {
      resolve(false);
      return;
    }
    this.#worker.addEventListener("message", ({ data }: MessageEvent<WatchAnswer>) => {
      if (data === "ready") resolve(true);
      else onSignal(data);
    });
    this.#worker.addEventListener("error", (event) => {
      event.preventDefault();
      resolve(false);
    });
    const shared = this.#first.buffer as SharedArrayBuffer;
    this.#post({ signals: interruptSignals, erases, shared });
    watchPartials((path, isNoted) => this.#post({ path, isNoted }));
  }

  /** The first signal that has come: what fails from then on may fail since files were removed. */
  get signal(): Deno.Signal | undefined {
    return interruptSignals[Atomics.load(this.#first, 0) - 1];
  }

  [Symbol.dispose](): void {
    if (this.#worker === undefined) return;
    watchPartials(undefined);
    this.#worker.terminate();
  }

  #post(message: PathMessage | WatchMessage): void {
    this.#worker!.postMessage(message);
  }
}

/** Whether a thread may end this process by a signal, without a question to the user. */
function canWatch(): boolean {
  if (Deno.build.os === "windows" || !canLoad(program)) return false;
  return Deno.permissions.querySync({ name: "run" }).state === "granted";
}
