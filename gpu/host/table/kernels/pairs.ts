/**
 * Kernels for the rows that come out. `found` has, for each probe row, the first row + 1 of the
 * build side that it matches, or 0.
 *
 * @module
 */

import { wasm } from "../../../wasm/instructions.ts";
import type { WasmFunction } from "../../../wasm/module.ts";
import { advance, kernel, TABLE, until } from "./loops.ts";

/** The kernels that change or read `found`. */
export const pairs: readonly WasmFunction[] = [
  // Sets the match of null keys.
  kernel(
    "setNulls",
    ["validity", "numRows", "nullRow", "found"],
    { i32: ["row"] },
    until(
      "row",
      "numRows",
      wasm`
        local.get found
        local.get found; i32.load 0
        local.get nullRow
        local.get validity; local.get row; i32.const 3; i32.shr_u; i32.add; i32.load8_u 0
        local.get row; i32.const 7; i32.and; i32.shr_u; i32.const 1; i32.and
        select; i32.store 0
        ${advance({ row: 1, found: 4 })}
      `,
    ),
  ),
  // Clears the match of listed rows.
  kernel(
    "clearRows",
    ["rows", "end", "found"],
    {},
    until(
      "rows",
      "end",
      wasm`
        local.get found; local.get rows; i32.load 0; i32.const 2; i32.shl; i32.add
        i32.const 0; i32.store 0
        ${advance({ rows: 4 })}
      `,
    ),
  ),
  // Sets a byte for each matched row + 1, and the byte of 0.
  kernel(
    "noteFound",
    ["found", "end", "matched"],
    {},
    until(
      "found",
      "end",
      wasm`
        local.get matched; local.get found; i32.load 0; i32.add; i32.const 1; i32.store8 0 ${TABLE}
        ${advance({ found: 4 })}
      `,
    ),
  ),
  // Writes the rows with a match, and their matches, and returns their number. It writes every row;
  // only a match advances the place of the next write.
  kernel(
    "keepMatches",
    ["found", "numRows", "rows", "kept"],
    { i32: ["row", "first", "step"] },
    wasm`
      local.get rows; local.set first
      ${
      until(
        "row",
        "numRows",
        wasm`
          local.get rows; local.get row; i32.store 0
          local.get kept; local.get found; i32.load 0; local.tee step; i32.store 0
          local.get step; i32.const 0; i32.ne; i32.const 2; i32.shl; local.tee step
          local.get rows; i32.add; local.set rows
          local.get kept; local.get step; i32.add; local.set kept
          ${advance({ row: 1, found: 4 })}
        `,
      )
    }
      local.get rows; local.get first; i32.sub; i32.const 2; i32.shr_u
    `,
    ["i32"],
  ),
  // Writes the rows without a match, and returns their number.
  kernel(
    "keepOthers",
    ["found", "numRows", "rows"],
    { i32: ["row", "first"] },
    wasm`
      local.get rows; local.set first
      ${
      until(
        "row",
        "numRows",
        wasm`
          local.get rows; local.get row; i32.store 0
          local.get found; i32.load 0; i32.eqz; i32.const 2; i32.shl
          local.get rows; i32.add; local.set rows
          ${advance({ row: 1, found: 4 })}
        `,
      )
    }
      local.get rows; local.get first; i32.sub; i32.const 2; i32.shr_u
    `,
    ["i32"],
  ),
  // Writes the places of the records of rows + 1.
  kernel(
    "placeRecords",
    ["rows", "end", "records", "stride", "places"],
    {},
    until(
      "rows",
      "end",
      wasm`
        local.get places
        local.get rows; i32.load 0; local.get stride; i32.mul; local.get records; i32.add
        i32.store 0
        ${advance({ rows: 4, places: 4 })}
      `,
    ),
  ),
];
