/**
 * Lookups in an array with one entry for each value of a key.
 *
 * @module
 */

import { wasm } from "../../../wasm/instructions.ts";
import type { WasmFunction } from "../../../wasm/module.ts";
import { advance, kernel, TABLE, until } from "./loops.ts";

/**
 * `findDense1` and `findDense2`, for keys of one and two words, write the row + 1 of each key to
 * `found`. `rows` has an entry for each value, and then one that is 0, for all keys out of range.
 * There is no branch: the processor could not predict it where keys in and out of range alternate.
 */
export const findDense: readonly WasmFunction[] = [
  kernel(
    "findDense1",
    ["keys", "end", "rows", "numValues", "low", "found"],
    { i32: ["value"] },
    until(
      "keys",
      "end",
      wasm`
        local.get keys; i32.load 0; local.get low; i32.sub; local.tee value
        local.get numValues
        local.get value; local.get numValues; i32.lt_u; select; local.set value
        local.get found
        local.get rows; local.get value; i32.const 2; i32.shl; i32.add; i32.load 0 ${TABLE}; i32.store 0
        ${advance({ keys: 4, found: 4 })}
      `,
    ),
  ),
  kernel(
    "findDense2",
    ["keys", "end", "rows", "numValues", "low", "high", "found"],
    { i32: ["value"], i64: ["least", "distance"] },
    wasm`
      local.get high; i64.extend_i32_u; i32.const 32; i64.extend_i32_u; i64.shl
      local.get low; i64.extend_i32_u; i64.or; local.set least
      ${
      until(
        "keys",
        "end",
        wasm`
          local.get keys; i64.load 0; local.get least; i64.sub; local.tee distance
          i32.wrap_i64; local.get numValues
          local.get distance; local.get numValues; i64.extend_i32_u; i64.lt_u
          select; local.set value
          local.get found
          local.get rows; local.get value; i32.const 2; i32.shl; i32.add; i32.load 0 ${TABLE}; i32.store 0
          ${advance({ keys: 8, found: 4 })}
        `,
      )
    }
    `,
  ),
];
