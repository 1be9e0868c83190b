/**
 * Turns the traps of parquet-wasm into errors of the work that trapped.
 *
 * @module
 */

import { TrapError } from "../../../../base/errors/data_error.ts";

/** All that is known of an error: the module does not say more. */
export const cannotDecode = "is corrupt, or holds what cannot be decoded";

/**
 * A trap does not unwind the module's stack, which is used up after about a thousand of them; then
 * every call fails, and the module cannot be loaded again.
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

/** Runs work of parquet-wasm that is done at once; a trap has `problem` as its message. */
export function orTrapNow<T>(work: () => T, problem = cannotDecode): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof WebAssembly.RuntimeError ? trapError(error, problem) : error;
  }
}

/** Whose turn it is, and who waits for one. */
let holder: ModuleTurns | undefined;
const waiting: { readonly turns: ModuleTurns; readonly begin: () => void }[] = [];

/**
 * The turns of one file in parquet-wasm. A trap in asynchronous work leaves its promise pending forever
 * and surfaces as an uncaught error that does not say whose it is. So the module works for one file at a
 * time: a trap is the fault of whose turn it is. It is given away while bytes are waited for.
 */
export class ModuleTurns {
  /** Rejects the work under way; absent between two works. */
  #fail: ((error: WebAssembly.RuntimeError) => void) | undefined;
  #numReads = 0;
  /** Hands the module what was read. */
  #handOver: (() => void)[] = [];
  #giving: ReturnType<typeof setTimeout> | undefined;

  /** Does work when its turn has come; a trap has `problem` as its message. */
  async do<T>(work: () => Promise<T>, problem = cannotDecode): Promise<T> {
    const trapped = Promise.withResolvers<never>();
    await this.#take();
    this.#fail = (error) => trapped.reject(trapError(error, problem));
    try {
      this.#hand();
      return await Promise.race([orTrapNow(work, problem), trapped.promise]);
    } finally {
      this.#fail = undefined;
      clearTimeout(this.#giving);
      this.#give();
    }
  }

  /** Waits for bytes that the module requests; it gets all that it has requested together, in one turn. */
  async wait<T>(bytes: Promise<T>): Promise<T> {
    // The turn has what the module does besides this too, and a trap shows late.
    if (this.#numReads++ === 0) this.#giving = setTimeout(() => this.#give(), 0);
    const read = await bytes;
    const handed = new Promise<void>((resolve) => this.#handOver.push(resolve));
    if (--this.#numReads === 0) await this.#resume();
    await handed;
    return read;
  }

  /** Goes on with the work, unless a read of it has failed. */
  async #resume(): Promise<void> {
    clearTimeout(this.#giving);
    if (this.#fail === undefined) return;
    if (holder !== this) await this.#take();
    if (this.#fail === undefined) this.#give();
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
    // Capture, to run before handlers of the program.
    globalThis.addEventListener("error", this.#onError, { capture: true });
    globalThis.addEventListener("unhandledrejection", this.#onRejection, { capture: true });
  }

  #give(): void {
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
