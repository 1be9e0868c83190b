/** @module */

import type { JavaScriptKernel } from "../../kernel/emit/javascript/emit.ts";
import type { CallingConvention } from "../../kernel/emit/host/calling_convention.ts";
import type { RowKernel } from "../../kernel/ir/ir.ts";
import { emitWasm, type WasmKernel } from "../../kernel/emit/wasm/emit.ts";
import { isAscii } from "../../kernel/emit/wasm/helpers.ts";
import { encodeModule, onlyMemory } from "../../kernel/emit/wasm/module.ts";
import { LruCache } from "../../../base/lru_cache.ts";

/** Kernels by the code of their JavaScript and their types. */
const kernels = new LruCache<WasmKernel | null>(200);

/**
 * A kernel as WebAssembly: that of an earlier plan where it is the same, whose module is compiled
 * already. Null where it runs as JavaScript only.
 */
export function wasmKernelOf(
  kernel: RowKernel,
  convention: CallingConvention,
  script: JavaScriptKernel,
): WasmKernel | null {
  if (!hasWords()) return null;
  const { columnTypes, type, scratchWords } = kernel;
  const types = JSON.stringify([columnTypes, type, scratchWords]);
  const key = `${script.parameters}\n${script.body}\n${types}`;
  return kernels.get(key, () => emitWasm(kernel, convention));
}

let hasWordsHere: boolean | undefined;

/** Whether the engine runs WebAssembly with words of 16 bytes: some processors have none. */
export function hasWords(): boolean {
  return hasWordsHere ??= typeof WebAssembly !== "undefined" &&
    WebAssembly.validate(encodeModule([isAscii], onlyMemory(false)) as BufferSource);
}
