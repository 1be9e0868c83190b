/**
 * A thread as the one sees it that started it: it is sent messages, answers, and may be lost at any time.
 *
 * @module
 */

/**
 * The program of a thread: the place of its module, or its text. A text needs no permission and is there
 * in every bundle; a module is loaded only where it is needed.
 */
export type ThreadProgram = URL | string;

/**
 * Whether a thread can be started with a program, without a question to the user: a module may be
 * unreadable, and is not there in a bundle that others made.
 */
export function canStart(program: ThreadProgram): boolean {
  if (typeof Worker === "undefined") return false;
  if (typeof program === "string") return true;
  const { protocol, host } = program;
  try {
    if (protocol !== "file:") return isGranted({ name: "import", host });
    // The folder that has all that programs import.
    const path = new URL("../../", import.meta.url);
    return isGranted({ name: "read", path }) && Deno.statSync(program).isFile;
  } catch {
    return false;
  }
}

/** Whether threads can share memory, and this one may wait for them: a page may not. */
export function canShareMemory(): boolean {
  if (typeof SharedArrayBuffer === "undefined" || typeof Worker === "undefined") return false;
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1, 0);
    return true;
  } catch {
    return false;
  }
}

/** Threads that are used by default: more of them would wait for the main one, memory and files. */
const MAX_THREADS = 8;

/** Returns the number of threads that share work by default, the calling one included. */
export function defaultThreads(): number {
  return Math.min(navigator.hardwareConcurrency, MAX_THREADS);
}

/**
 * Returns the number of threads that may compute in shared memory, the calling one included: as many as
 * are asked for, or 1.
 */
export function mostThreads(threads: number = defaultThreads()): number {
  return threads > 1 && canShareMemory() ? threads : 1;
}

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

function isGranted(wanted: Deno.PermissionDescriptor): boolean {
  // What is granted but for some folders is no grant of all.
  const { state, partial } = Deno.permissions.querySync(wanted);
  return state === "granted" && !partial;
}
