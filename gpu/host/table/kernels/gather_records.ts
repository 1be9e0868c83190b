/**
 * Gathers values from records: `places` has the place of each record, and `at` is the place of a
 * field in its record.
 *
 * @module
 */

import { wasm } from "../../../wasm/instructions.ts";
import type { WasmFunction } from "../../../wasm/module.ts";
import { advance, copyText, kernel, TABLE, until } from "./loops.ts";
import { collectBits, VALUE_WIDTHS } from "./take_columns.ts";

/** `gather1` to `gather16`, and the kernels for bits, for short and long text, and for touching. */
export const gatherRecords: readonly WasmFunction[] = [
  ...Object.entries(VALUE_WIDTHS).map(([width, [load, store]]) =>
    kernel(
      `gather${width}`,
      ["places", "end", "at", "to", "step"],
      {},
      until(
        "places",
        "end",
        wasm`
          local.get to
          local.get places; i32.load 0; local.get at; i32.add; ${load} ${TABLE}; ${store}
          local.get to; local.get step; i32.add; local.set to
          ${advance({ places: 4 })}
        `,
      ),
    )
  ),
  // Gathers one bit of a byte of each record. Returns the number of set bits.
  kernel(
    "gatherBits",
    ["places", "end", "at", "shift", "to"],
    { i32: ["bits", "mask", "sum"] },
    collectBits(
      "places",
      wasm`
        local.get places; i32.load 0; local.get at; i32.add; i32.load8_u 0 ${TABLE}
        local.get shift; i32.shr_u; i32.const 1; i32.and
        ${advance({ places: 4 })}
      `,
    ),
    ["i32"],
  ),
  // Gathers text of up to 16 bytes, which follows its size in the record. Each text overwrites the
  // spare bytes that the previous one has copied. `ends` has the start of the first text, then the
  // end of each.
  kernel(
    "gatherShort",
    ["places", "end", "at", "ends", "to"],
    { i32: ["from", "stop"] },
    wasm`
      local.get ends; i32.load 0; local.set stop
      ${
      until(
        "places",
        "end",
        wasm`
          local.get places; i32.load 0; local.get at; i32.add; local.set from
          local.get to; local.get stop; i32.add; local.get from; v128.load 4 ${TABLE}; v128.store 0
          local.get ends; local.get from; i32.load 0 ${TABLE}; local.get stop; i32.add; local.tee stop
          i32.store 4
          ${advance({ places: 4, ends: 4 })}
        `,
      )
    }
    `,
  ),
  // Writes the ends of the text of rows, as for `gatherShort`. Returns the last one.
  kernel(
    "gatherSizes",
    ["places", "end", "at", "ends"],
    { i32: ["stop"] },
    wasm`
      local.get ends; i32.load 0; local.set stop
      ${
      until(
        "places",
        "end",
        wasm`
          local.get ends
          local.get places; i32.load 0; local.get at; i32.add; i32.load 0 ${TABLE}
          local.get stop; i32.add; local.tee stop
          i32.store 4
          ${advance({ places: 4, ends: 4 })}
        `,
      )
    }
      local.get stop
    `,
    ["i32"],
  ),
  // Gathers text that follows its size in the record, or whose place is in the record if it is
  // longer than `inline` bytes; copies it to the places of `gatherSizes`.
  kernel(
    "gatherLong",
    ["places", "end", "at", "inline", "ends", "to"],
    { i32: ["from", "place", "size"] },
    until(
      "places",
      "end",
      wasm`
        local.get places; i32.load 0; local.get at; i32.add; i32.const 4; i32.add; local.set from
        local.get ends; i32.load 0; local.get to; i32.add; local.set place
        local.get ends; i32.load 4; local.get ends; i32.load 0; i32.sub; local.set size
        local.get from; i32.load 0 ${TABLE}; local.get from
        local.get size; local.get inline; i32.gt_s; select; local.set from
        ${copyText("from", "place", "size", TABLE)}
        ${advance({ places: 4, ends: 4 })}
      `,
    ),
  ),
  // Only reads each record, so that cache misses overlap.
  kernel(
    "touchRecords",
    ["places", "end"],
    { i32: ["sum"] },
    wasm`
      ${
      until(
        "places",
        "end",
        wasm`
          local.get places; i32.load 0; i32.load 0 ${TABLE}; local.get sum; i32.or; local.set sum
          ${advance({ places: 4 })}
        `,
      )
    }
      local.get sum
    `,
    ["i32"],
  ),
];
