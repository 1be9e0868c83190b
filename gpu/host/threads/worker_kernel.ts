/**
 * Kernels as workers know them.
 *
 * @module
 */

/** A kernel as it is sent to a worker. */
export interface KernelDefinition {
  readonly parameters: readonly string[];
  readonly fixed: readonly string[];
  /** The JavaScript, or the WebAssembly in base64; the other one is empty. */
  readonly body: string;
  readonly wasm: string;
  readonly scratchWords: number;
  /** For each array, whether it is text, so that its part starts at a later position. */
  readonly isText: readonly boolean[];
  /** For each text array, the index of its offsets. */
  readonly offsetsOf: readonly number[];
  /** For each constant array, its type and its numbers. */
  readonly constants: readonly (readonly [type: string, numbers: readonly number[]] | null)[];
}

/** The functions of a WebAssembly module: that of a kernel, or the one that checks text. */
export interface WasmFunctions {
  areUtf8(text: number, size: number, starts: number, numRows: number): number;
  run(...places: number[]): [row: number, size: number, nulls: number];
  isAscii(place: number, size: number): number;
}

/** A kernel that is defined in a worker. */
export interface WorkerKernel
  extends Pick<KernelDefinition, "fixed" | "isText" | "offsetsOf" | "scratchWords"> {
  readonly run: (...values: unknown[]) => { readonly nulls: number; readonly size: number };
  readonly wasm: WasmFunctions | null;
  readonly constants: readonly (Uint8Array | null)[];
}

/** Typed arrays and other globals, by name. */
export const globals = globalThis as unknown as Readonly<Record<string, unknown>>;

/** Compiles a kernel over the memory of the worker. */
export function defineKernel(
  definition: KernelDefinition,
  memory: WebAssembly.Memory,
): WorkerKernel {
  const { parameters, fixed, body, wasm, scratchWords, isText, offsetsOf, constants } = definition;
  return {
    fixed,
    isText,
    offsetsOf,
    scratchWords,
    run: new Function(...parameters, body) as WorkerKernel["run"],
    wasm: wasm === "" ? null : instantiate(bytesOfBase64(wasm), memory),
    constants: constants.map((constant) => {
      if (constant === null) return null;
      const type = globals[constant[0]] as { from(numbers: readonly number[]): Uint8Array };
      return type.from(constant[1]);
    }),
  };
}

/** Returns the functions of a module over the memory of the worker. */
export function instantiate(module: Uint8Array, memory: WebAssembly.Memory): WasmFunctions {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module as BufferSource), {
    host: { memory },
  });
  return exports as unknown as WasmFunctions;
}

function bytesOfBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
