/**
 * What the program of a thread has around it.
 *
 * @module
 */

import type { ThreadLife } from "./life.ts";

/** The scope of a thread, which the types of a window do not have. */
export interface ThreadScope<To, From> {
  addEventListener(type: "message", listener: (event: { readonly data: To }) => void): void;
  postMessage(message: From, transfer?: Transferable[]): void;
  close(): void;
}

/** The scope of this thread, which is sent `To` and sends `From`. */
export function threadScope<To, From>(): ThreadScope<To, From> {
  return globalThis as unknown as ThreadScope<To, From>;
}

/** Ends this thread when it had nothing to do for a while. */
export class IdleStop {
  readonly #life: ThreadLife;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(life: ThreadLife) {
    this.#life = life;
  }

  /** Waits from now on, some milliseconds. */
  restart(ms: number): void {
    this.stop();
    this.#timer = setTimeout(() => {
      // A job that is on its way restarts this when it is done.
      if (this.#life.leave()) threadScope().close();
    }, ms);
  }

  /** Waits no longer. */
  stop(): void {
    clearTimeout(this.#timer);
  }
}
