/**
 * A thread as the one sees it that started it: it is sent messages, answers, and may be lost at any time.
 *
 * @module
 */

import type { ThreadProgram } from "./program.ts";

/** Who hears from a thread. Neither is called once the thread was ended or lost. */
export interface ThreadHearers<From> {
  onMessage(message: From): void;
  /** The thread could not start, an error ended it, or it sent what cannot be read. */
  onLost(reason: string): void;
}

/** A thread that was started. */
export interface Thread<To> {
  /** Sends a message, and hands over the memory of `transfer`. Does nothing once the thread is gone. */
  send(message: To, transfer?: Transferable[]): void;
  /** Ends the thread at once, also in the middle of its work. */
  end(): void;
}

/** Starts a thread. Throws where there can be none. Tests pass threads that misbehave. */
export type StartThread<To, From> = (hearers: ThreadHearers<From>) => Thread<To>;

/** Starts threads with a program. */
export function threadStarter<To, From>(program: ThreadProgram): StartThread<To, From> {
  return (hearers) => new StartedThread(program, hearers);
}

class StartedThread<To, From> implements Thread<To> {
  readonly #worker: Worker;
  /** The URL of a program that is text, which is kept until the thread ends. */
  readonly #textUrl: string | undefined;
  #isEnded = false;

  constructor(program: ThreadProgram, { onMessage, onLost }: ThreadHearers<From>) {
    this.#textUrl = typeof program === "string" ? urlOfText(program) : undefined;
    this.#worker = new Worker(this.#textUrl ?? program, { type: "module" });
    this.#worker.addEventListener("message", ({ data }) => {
      if (!this.#isEnded) onMessage(data);
    });
    const lose = (event: Event) => {
      // The caller does the work itself, or reports the loss in its own words.
      event.preventDefault();
      if (this.#isEnded) return;
      this.end();
      onLost((event as ErrorEvent).message ?? "it sent what cannot be read");
    };
    this.#worker.addEventListener("error", lose);
    this.#worker.addEventListener("messageerror", lose);
  }

  send(message: To, transfer: Transferable[] = []): void {
    if (!this.#isEnded) this.#worker.postMessage(message, transfer);
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#worker.terminate();
    if (this.#textUrl !== undefined) URL.revokeObjectURL(this.#textUrl);
  }
}

function urlOfText(text: string): string {
  return URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
}
