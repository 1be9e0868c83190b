/**
 * Whether the host runs the WebAssembly of kernels.
 *
 * @module
 */

import { isAscii } from "../../kernel/emit/wasm/helpers.ts";
import { encodeModule, onlyMemory } from "../../wasm/module.ts";

let hasWordsHere: boolean | undefined;

/** Whether the engine runs WebAssembly with words of 16 bytes, which some processors lack. */
export function hasWords(): boolean {
  return hasWordsHere ??= typeof WebAssembly !== "undefined" &&
    WebAssembly.validate(encodeModule([isAscii], onlyMemory(false)) as BufferSource);
}
