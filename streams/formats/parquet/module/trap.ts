/**
 * Turns traps of parquet-wasm into errors of the work that trapped.
 *
 * @module
 */

import { TrapError } from "../../../../base/errors/data_error.ts";

/** The message of a trap, of which the module says no more. */
export const cannotDecode = "is corrupt, or contains data that cannot be decoded";

/**
 * The number of traps after which the module may be unusable. A trap does not unwind the module's
 * stack, which overflows after about a thousand; then every call fails, and the module cannot be
 * loaded again.
 */
const manyTraps = 100;
let numTraps = 0;

function trapError(error: WebAssembly.RuntimeError, problem: string): TypeError {
  numTraps++;
  const isSpent = numTraps > manyTraps && error.message === "memory access out of bounds";
  if (!isSpent) return new TrapError(problem, { cause: error });
  const why = "parquet-wasm no longer works after too many files that it could not decode";
  return new TypeError(`cannot be read or written in this process: ${why}`, { cause: error });
}

/** Runs synchronous work of parquet-wasm. A trap becomes an error with the message `problem`. */
export function orTrapNow<T>(work: () => T, problem = cannotDecode): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof WebAssembly.RuntimeError ? trapError(error, problem) : error;
  }
}

/** The file whose turn it is, and those that wait for one. */
let holder: ModuleTurns | undefined;
const waiting: { readonly turns: ModuleTurns; readonly begin: () => void }[] = [];

/**
 * The turns of one file in parquet-wasm. A trap in asynchronous work leaves its promise pending
 * forever and surfaces as an uncaught error that does not name its source. So the module works for
 * one file at a time: a trap belongs to the file that has the turn. A file passes its turn on
 * while it waits for bytes.
 */
export class ModuleTurns {
  /** Rejects the work in progress; absent if there is none. */
  #fail: ((error: WebAssembly.RuntimeError) => void) | undefined;
  #numReads = 0;
  /** Functions that hand the module the bytes that were read. */
  #handOver: (() => void)[] = [];
  #passing: ReturnType<typeof setTimeout> | undefined;

  /** Waits for a turn, then runs work. A trap becomes an error with the message `problem`. */
  async do<T>(work: () => Promise<T>, problem = cannotDecode): Promise<T> {
    const trapped = Promise.withResolvers<never>();
    await this.#take();
    this.#fail = (error) => trapped.reject(trapError(error, problem));
    try {
      this.#hand();
      return await Promise.race([orTrapNow(work, problem), trapped.promise]);
    } finally {
      this.#fail = undefined;
      clearTimeout(this.#passing);
      this.#pass();
    }
  }

  /**
   * Waits for bytes that the module requested. It gets the bytes of all pending requests together,
   * in one turn.
   */
  async wait<T>(bytes: Promise<T>): Promise<T> {
    // Pass the turn on late: the module may do more in it, and a trap surfaces late.
    if (this.#numReads++ === 0) this.#passing = setTimeout(() => this.#pass(), 0);
    const read = await bytes;
    const handed = new Promise<void>((resolve) => this.#handOver.push(resolve));
    if (--this.#numReads === 0) await this.#resume();
    await handed;
    return read;
  }

  /** Resumes the work, unless it has ended meanwhile. */
  async #resume(): Promise<void> {
    clearTimeout(this.#passing);
    if (this.#fail === undefined) return;
    if (holder !== this) await this.#take();
    if (this.#fail === undefined) this.#pass();
    else this.#hand();
  }

  #hand(): void {
    const resolves = this.#handOver;
    this.#handOver = [];
    for (const resolve of resolves) resolve();
  }

  async #take(): Promise<void> {
    if (holder === undefined) holder = this;
    else await new Promise<void>((begin) => waiting.push({ turns: this, begin }));
    // Capture, so that these run before handlers of the program.
    globalThis.addEventListener("error", this.#onError, { capture: true });
    globalThis.addEventListener("unhandledrejection", this.#onRejection, { capture: true });
  }

  #pass(): void {
    if (holder !== this) return;
    globalThis.removeEventListener("error", this.#onError, { capture: true });
    globalThis.removeEventListener("unhandledrejection", this.#onRejection, { capture: true });
    const next = waiting.shift();
    holder = next?.turns;
    next?.begin();
  }

  readonly #onError = (event: ErrorEvent) => this.#notice(event, event.error);
  readonly #onRejection = (event: PromiseRejectionEvent) => this.#notice(event, event.reason);

  #notice(event: Event, error: unknown): void {
    if (!(error instanceof WebAssembly.RuntimeError) || this.#fail === undefined) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.#fail(error);
  }
}
