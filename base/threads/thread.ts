/**
 * A thread as its owner sees it: it receives and sends messages, and may be lost at any time.
 *
 * @module
 */

/**
 * The program of a thread: the URL of its module, or its text. A text needs no permission and is part of
 * every bundle; a module is loaded only when it is needed.
 */
type ThreadProgram = URL | string;

/**
 * Whether a thread can start with a program without a permission prompt. A module may be unreadable, and a
 * bundle that a user makes lacks it.
 */
export function canStart(program: ThreadProgram): boolean {
  if (typeof Worker === "undefined") return false;
  if (typeof program === "string") return true;
  const { protocol, host } = program;
  try {
    if (protocol !== "file:") return isGranted({ name: "import", host });
    // The folder of everything that programs import.
    const path = new URL("../../", import.meta.url);
    return isGranted({ name: "read", path }) && Deno.statSync(program).isFile;
  } catch {
    return false;
  }
}

/** Whether threads can share memory and this one may block on it, which the main thread of a page may not. */
export function canShareMemory(): boolean {
  if (typeof SharedArrayBuffer === "undefined" || typeof Worker === "undefined") return false;
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1, 0);
    return true;
  } catch {
    return false;
  }
}

/** The most threads by default: more would wait for the main thread, memory and files. */
const MAX_THREADS = 8;

/** Returns the default number of threads that share work, including the caller. */
export function defaultThreads(): number {
  return Math.min(navigator.hardwareConcurrency, MAX_THREADS);
}

/**
 * Returns the number of threads that may compute in shared memory, including the caller: `threads`, or 1 if
 * memory cannot be shared.
 */
export function mostThreads(threads: number = defaultThreads()): number {
  return threads > 1 && canShareMemory() ? threads : 1;
}

/** Callbacks for the events of a thread. Neither is called after the thread was ended or lost. */
interface ThreadHearers<From> {
  onMessage(message: From): void;
  /** The thread could not start, an error ended it, or it sent an unreadable message. */
  onLost(reason: string): void;
}

/** A started thread. */
export interface Thread<To> {
  /** Sends a message, and transfers the memory of `transfer`. Does nothing once the thread is gone. */
  send(message: To, transfer?: Transferable[]): void;
  /** Ends the thread immediately, even while it works. */
  end(): void;
}

/** Starts a thread. Throws if there can be none. Tests pass threads that misbehave. */
export type StartThread<To, From> = (hearers: ThreadHearers<From>) => Thread<To>;

/** Returns a function that starts threads with a program. */
export function threadStarter<To, From>(program: ThreadProgram): StartThread<To, From> {
  return (hearers) => new StartedThread(program, hearers);
}

class StartedThread<To, From> implements Thread<To> {
  readonly #worker: Worker;
  /** The URL of a program that is text, revoked when the thread ends. */
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
  // A partial grant excludes some paths.
  const { state, partial } = Deno.permissions.querySync(wanted);
  return state === "granted" && !partial;
}
