/**
 * Loads parquet-wasm lazily, and turns its traps into errors.
 *
 * @module
 */

export type ParquetWasm = typeof import("parquet-wasm/esm");

let loading: Promise<ParquetWasm> | undefined;

/** Loads parquet-wasm and compiles its module, once. */
export function loadParquetWasm(): Promise<ParquetWasm> {
  return loading ??= load();
}

async function load(): Promise<ParquetWasm> {
  const wasm = await import("parquet-wasm/esm");
  const bytes = moduleBytes();
  // Else the package's own guess of where its module lies is right wherever npm packages are files.
  if (bytes === undefined) await wasm.default();
  // To compile it while it is read takes twice the processor time.
  else wasm.initSync({ module: new WebAssembly.Module(bytes) });
  return wasm;
}

/** The module, where it is a file that may be read. */
function moduleBytes(): Uint8Array<ArrayBuffer> | undefined {
  try {
    const path = new URL("parquet_wasm_bg.wasm", import.meta.resolve("parquet-wasm/esm"));
    const { state } = Deno.permissions.querySync({ name: "read", path });
    return state === "granted" ? Deno.readFileSync(path) : undefined;
  } catch {
    return undefined;
  }
}

/** All that is known of an error: the module does not say more. */
export const cannotDecode = "is corrupt, or holds what cannot be decoded";

/** A failure in parquet-wasm, either one it reports or a trap. */
export class TrapError extends TypeError {}

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
  const why = "parquet-wasm works no more after so many files that it could not decode";
  return new TypeError(`cannot be read or written in this process: ${why}`, { cause: error });
}

/** The synchronous form of `orTrap`. */
export function orTrapNow<T>(work: () => T, problem = cannotDecode): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof WebAssembly.RuntimeError ? trapError(error, problem) : error;
  }
}

/**
 * Runs asynchronous work of parquet-wasm. A trap leaves its promise pending forever and surfaces as an
 * uncaught error; here it rejects the work, with `problem` as its message.
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
  // Capture, to run before handlers of the program.
  globalThis.addEventListener("error", onError, { capture: true });
  globalThis.addEventListener("unhandledrejection", onRejection, { capture: true });
  try {
    return await Promise.race([orTrapNow(work, problem), trapped.promise]);
  } finally {
    globalThis.removeEventListener("error", onError, { capture: true });
    globalThis.removeEventListener("unhandledrejection", onRejection, { capture: true });
  }
}
