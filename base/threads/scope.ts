/**
 * The scope in which the program of a thread runs.
 *
 * @module
 */

import type { ThreadLife } from "./life.ts";

/** The scope of a thread, which the types of `deno.window` lack. */
interface ThreadScope<To, From> {
  addEventListener(type: "message", listener: (event: { readonly data: To }) => void): void;
  postMessage(message: From, transfer?: Transferable[]): void;
  close(): void;
}

/** Returns the scope of this thread, which receives `To` and sends `From`. */
export function threadScope<To, From>(): ThreadScope<To, From> {
  return globalThis as unknown as ThreadScope<To, From>;
}

/** Ends this thread when it has been idle for a while. */
export class IdleStop {
  readonly #life: ThreadLife;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(life: ThreadLife) {
    this.#life = life;
  }

  /** Ends the thread in `ms` milliseconds, unless stopped or restarted. */
  restart(ms: number): void {
    this.stop();
    this.#timer = setTimeout(() => {
      // If a job is claimed, the thread restarts this timer when the job is done.
      if (this.#life.leave()) threadScope().close();
    }, ms);
  }

  /** Cancels the end. */
  stop(): void {
    clearTimeout(this.#timer);
  }
}
