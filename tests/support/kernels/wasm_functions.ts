/** Functions of WebAssembly that tests call directly. */

import { wasmHelpers } from "../../../gpu/kernel/emit/wasm/helpers.ts";
import { encodeModule, onlyMemory, type WasmFunction } from "../../../gpu/wasm/module.ts";

type Functions = Partial<Record<string, (...numbers: number[]) => number>>;

/** The exported functions of a module by name, and its memory of 64 KiB. */
export function instantiate(
  functions: readonly WasmFunction[],
): Functions & { bytes: Uint8Array } {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const module = new WebAssembly.Module(encodeModule(functions, onlyMemory(false)) as BufferSource);
  const { exports } = new WebAssembly.Instance(module, { host: { memory } });
  const calls = exports as Readonly<Record<string, (...numbers: number[]) => number>>;
  return { bytes: new Uint8Array(memory.buffer), ...calls } as
    & Functions
    & { bytes: Uint8Array };
}

/** The same for functions that kernels call, by their names. */
export function instantiateHelpers(
  names: readonly string[],
): Functions & { bytes: Uint8Array } {
  return instantiate(
    wasmHelpers(new Set(names)).map((helper) => ({ ...helper, isExported: true })),
  );
}
