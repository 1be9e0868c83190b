/**
 * Packs keys of two words into one word.
 *
 * @module
 */

import type { WasmFunction } from "../../../wasm/module.ts";
import { wasm } from "../../../wasm/instructions.ts";
import { advance, kernel, until } from "./loops.ts";

/**
 * `packPairs` writes the low word of each 64-bit integer. It lists the rows of integers that do not
 * fit 32 bits at `unpacked`, and returns their number.
 */
export const packPairs: readonly WasmFunction[] = [
  kernel(
    "packPairs",
    ["keys", "end", "words", "unpacked"],
    { i32: ["word", "row", "list"] },
    wasm`
      local.get unpacked; local.set list
      ${
      until(
        "keys",
        "end",
        wasm`
          local.get words; local.get keys; i32.load 0; local.tee word; i32.store 0
          local.get list; local.get row; i32.store 0
          local.get word; i32.const 31; i32.shr_s; local.get keys; i32.load 4; i32.ne
          i32.const 2; i32.shl; local.get list; i32.add; local.set list
          ${advance({ keys: 8, words: 4, row: 1 })}
        `,
      )
    }
      local.get list; local.get unpacked; i32.sub; i32.const 2; i32.shr_u
    `,
    ["i32"],
  ),
];
