/** @module */

/** What the module says of none of its errors: which it was. */
export const cannotDecode = "is corrupt, or holds what cannot be decoded";

/** Work at which parquet-wasm gave up, be it an error of its own or a mistake in it. */
export class TrapError extends TypeError {}

/**
 * Waits for work of parquet-wasm. What traps there leaves its promise pending for ever and the
 * error to nobody; here it becomes the failure of the work, with a message that says `problem`.
 */
export async function orTrap<T>(work: Promise<T>, problem = cannotDecode): Promise<T> {
  const trapped = Promise.withResolvers<never>();
  const notice = (event: Event, error: unknown): void => {
    if (!(error instanceof WebAssembly.RuntimeError)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    trapped.reject(new TrapError(problem, { cause: error }));
  };
  const onError = (event: ErrorEvent) => notice(event, event.error);
  const onRejection = (event: PromiseRejectionEvent) => notice(event, event.reason);
  // Capturing, so that it comes before a handler of the program.
  globalThis.addEventListener("error", onError, { capture: true });
  globalThis.addEventListener("unhandledrejection", onRejection, { capture: true });
  try {
    return await Promise.race([work, trapped.promise]);
  } finally {
    globalThis.removeEventListener("error", onError, { capture: true });
    globalThis.removeEventListener("unhandledrejection", onRejection, { capture: true });
  }
}
