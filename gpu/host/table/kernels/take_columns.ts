/**
 * Copies rows of the columns of a batch.
 *
 * @module
 */

import { wasm, type WasmCode } from "../../../wasm/instructions.ts";
import type { WasmFunction } from "../../../wasm/module.ts";
import { advance, copyText, kernel, until } from "./loops.ts";

/** The widths of values that one load copies, and the instructions. */
export const VALUE_WIDTHS: Readonly<
  Record<1 | 2 | 4 | 8 | 16, readonly [load: string, store: string]>
> = {
  1: ["i32.load8_u 0", "i32.store8 0"],
  2: ["i32.load16_u 0", "i32.store16 0"],
  4: ["i32.load 0", "i32.store 0"],
  8: ["i64.load 0", "i64.store 0"],
  16: ["v128.load 0", "v128.store 0"],
};

/** `take1` to `take16`, `takeBits`, `foundBits`, `takeSizes` and `takeText`. */
export const takeColumns: readonly WasmFunction[] = [
  ...Object.entries(VALUE_WIDTHS).map(([width, [load, store]]) =>
    kernel(
      `take${width}`,
      ["rows", "end", "data", "to"],
      {},
      until(
        "rows",
        "end",
        wasm`
          local.get to
          local.get data; local.get rows; i32.load 0; i32.const ${Math.log2(Number(width))}
          i32.shl; i32.add; ${load}; ${store}
          ${advance({ rows: 4, to: Number(width) })}
        `,
      ),
    )
  ),
  // Copies the bits of rows. Returns the number of set bits.
  kernel(
    "takeBits",
    ["rows", "end", "data", "to"],
    { i32: ["row", "bits", "mask", "sum"] },
    collectBits(
      "rows",
      wasm`
        local.get rows; i32.load 0; local.set row
        local.get data; local.get row; i32.const 3; i32.shr_u; i32.add; i32.load8_u 0
        local.get row; i32.const 7; i32.and; i32.shr_u; i32.const 1; i32.and
        ${advance({ rows: 4 })}
      `,
    ),
    ["i32"],
  ),
  // Writes a bit for each row + 1, set unless it is 0. Returns the number of set bits.
  kernel(
    "foundBits",
    ["found", "end", "to"],
    { i32: ["bits", "mask", "sum"] },
    collectBits("found", wasm`local.get found; i32.load 0; ${advance({ found: 4 })}`),
    ["i32"],
  ),
  // Writes the ends of the text of rows; the first of `ends` has the start of the first text.
  // Returns the last end.
  kernel(
    "takeSizes",
    ["rows", "end", "offsets", "ends"],
    { i32: ["at", "stop"] },
    wasm`
      local.get ends; i32.load 0; local.set stop
      ${
      until(
        "rows",
        "end",
        wasm`
          local.get offsets; local.get rows; i32.load 0; i32.const 2; i32.shl; i32.add; local.tee at
          i32.load 4; local.get at; i32.load 0; i32.sub
          local.get stop; i32.add; local.set stop
          local.get ends; local.get stop; i32.store 4
          ${advance({ rows: 4, ends: 4 })}
        `,
      )
    }
      local.get stop
    `,
    ["i32"],
  ),
  // Copies the text of rows to the places of `takeSizes`.
  kernel(
    "takeText",
    ["rows", "end", "offsets", "data", "ends", "to"],
    { i32: ["from", "at", "size"] },
    until(
      "rows",
      "end",
      wasm`
        local.get offsets; local.get rows; i32.load 0; i32.const 2; i32.shl; i32.add
        i32.load 0; local.get data; i32.add; local.set from
        local.get ends; i32.load 0; local.get to; i32.add; local.set at
        local.get ends; i32.load 4; local.get ends; i32.load 0; i32.sub; local.set size
        ${copyText("from", "at", "size")}
        ${advance({ rows: 4, ends: 4 })}
      `,
    ),
  ),
];

/**
 * Returns code that packs bits into the bytes from the local `to` on while the local `at` is below
 * `end`: `next` leaves the next bit and advances. It leaves the number of set bits.
 */
export function collectBits(at: string, next: WasmCode): WasmCode {
  return wasm`
    ${
    until(
      at,
      "end",
      wasm`
        i32.const 0; local.set bits
        i32.const 1; local.set mask
        block $full
          loop $bit
            ${next}; if $
              local.get bits; local.get mask; i32.or; local.set bits
              ${advance({ sum: 1 })}
            end
            local.get mask; i32.const 1; i32.shl; local.tee mask
            i32.const 256; i32.eq; br_if $full
            local.get ${at}; local.get end; i32.lt_u; br_if $bit
          end
        end
        local.get to; local.get bits; i32.store8 0
        ${advance({ to: 1 })}
      `,
    )
  }
    local.get sum
  `;
}
