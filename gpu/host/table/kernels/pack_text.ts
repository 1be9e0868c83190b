/**
 * Packs text of up to 12 bytes into words, which are compared as integers.
 *
 * @module
 */

import { wasm } from "../../../wasm/instructions.ts";
import type { WasmFunction } from "../../../wasm/module.ts";
import { loadKept } from "./find_text.ts";
import { advance, kernel, until } from "./loops.ts";

/**
 * `packText` writes the bytes of each text as `width` bytes, padded with zeros, and up to 12 bytes
 * after the last one. It lists the rows whose text is longer or ends in a zero byte at `unpacked`,
 * and returns their number.
 */
export const packText: readonly WasmFunction[] = [
  kernel(
    "packText",
    ["offsets", "end", "data", "width", "words", "unpacked"],
    { i32: ["at", "size", "row", "list"] },
    wasm`
      local.get unpacked; local.set list
      ${
      until(
        "offsets",
        "end",
        wasm`
          local.get data; local.get offsets; i32.load 0; i32.add; local.set at
          local.get offsets; i32.load 4; local.get offsets; i32.load 0; i32.sub; local.set size
          local.get list; local.get row; i32.store 0
          local.get size; local.get width; i32.gt_u
          local.get at; local.get size; i32.add; i32.const 1; i32.sub; i32.load8_u 0; i32.eqz
          local.get size; i32.const 0; i32.ne; i32.and
          i32.or; i32.const 2; i32.shl; local.get list; i32.add; local.set list
          local.get size; local.get width; local.get size; local.get width; i32.lt_u; select
          local.set size
          local.get words
          ${loadKept(wasm`local.get at`, wasm`local.get size`)}; v128.store 0
          local.get words; local.get width; i32.add; local.set words
          local.get row; i32.const 1; i32.add; local.set row
          ${advance({ offsets: 4 })}
        `,
      )
    }
      local.get list; local.get unpacked; i32.sub; i32.const 2; i32.shr_u
    `,
    ["i32"],
  ),
];
