/**
 * Traps of parquet-wasm as errors of its work.
 *
 * @module
 */

/** What the module says of none of its errors: which it was. */
export const cannotDecode = "is corrupt, or holds what cannot be decoded";

/** Work at which parquet-wasm gave up, be it an error of its own or a mistake in it. */
export class TrapError extends TypeError {}

/**
 * A trap leaves what it had on the stack of the module, whose end is reached after a thousand files
 * or so; from then on nothing works there, nor can the module be loaded anew.
 */
const manyTraps = 100;
let numTraps = 0;

function trapError(error: WebAssembly.RuntimeError, problem: string): TypeError {
  numTraps++;
  const isSpent = numTraps > manyTraps && error.message === "memory access out of bounds";
  if (!isSpent) return new TrapError(problem, { cause: error });
  const why = "parquet-wasm works no more after so many files that it could not decode";
  return new TypeError(`cannot be read or written in this process: ${why}`, { cause: error });
}

/** Does work of parquet-wasm that is over when it returns (see `orTrap`). */
export function orTrapNow<T>(work: () => T, problem = cannotDecode): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof WebAssembly.RuntimeError ? trapError(error, problem) : error;
  }
}

/**
 * Does work of parquet-wasm that takes its time. What traps there leaves its promise pending for ever
 * and the error to nobody; here it becomes the failure of the work, with a message that says
 * `problem`.
 */
export async function orTrap<T>(work: () => Promise<T>, problem = cannotDecode): Promise<T> {
  const trapped = Promise.withResolvers<never>();
  const notice = (event: Event, error: unknown): void => {
    if (!(error instanceof WebAssembly.RuntimeError)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    trapped.reject(trapError(error, problem));
  };
  const onError = (event: ErrorEvent) => notice(event, event.error);
  const onRejection = (event: PromiseRejectionEvent) => notice(event, event.reason);
  // Capturing, so that it comes before a handler of the program.
  globalThis.addEventListener("error", onError, { capture: true });
  globalThis.addEventListener("unhandledrejection", onRejection, { capture: true });
  try {
    return await Promise.race([orTrapNow(work, problem), trapped.promise]);
  } finally {
    globalThis.removeEventListener("error", onError, { capture: true });
    globalThis.removeEventListener("unhandledrejection", onRejection, { capture: true });
  }
}
