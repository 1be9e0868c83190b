/**
 * Lookups of text in a hash table. A slot has the hash, the size and the place of the text, and the
 * row + 1. Hash and size are compared together; if both are equal, the bytes are compared, 16 at a
 * time.
 *
 * @module
 */

import { wasm, type WasmCode } from "../../../wasm/instructions.ts";
import type { WasmFunction } from "../../../wasm/module.ts";
import { MASKS_AT } from "./instance.ts";
import { advance, isValid, kernel, TABLE, until } from "./loops.ts";

/** The binary logarithm of the bytes of a slot. */
export const TEXT_SLOT_SHIFT = 4;

/** The halves of the odd factor of hashes, both of which the seed changes. */
const [FACTOR_HIGH, FACTOR_LOW] = [0x9e3779b9 | 0, 0x7f4a7c15];

/** Leaves the 16 bytes at the place on the stack; the bytes after the first `size` are 0. */
export function loadKept(at: WasmCode, size: WasmCode): WasmCode {
  return wasm`
    ${at}; v128.load 0
    i32.const ${MASKS_AT}; ${size}; i32.sub; v128.load 0; v128.and
  `;
}

/**
 * Multiplies the value on the stack, after its high half has changed the low one. A product alone
 * would leave the highest bits of an input in the highest bits, whatever the factor, so an attacker
 * could choose texts that share all hashes.
 */
const mixed = wasm`
  local.tee hash; local.get hash; local.get shift; i64.shr_u; i64.xor
  local.get factor; i64.mul; local.set hash
`;

const nextSlot = wasm`
  local.get slot; i32.const ${
  1 << TEXT_SLOT_SHIFT
}; i32.add; local.get mask; i32.and; local.set slot
`;

/** Leaves the place of the slot of a hash. */
const ownSlot = wasm`
  local.get slots
  local.get hashes; i32.load 0; local.get shift; i32.shr_u; i32.const ${TEXT_SLOT_SHIFT}; i32.shl
  i32.add
`;

/** Leaves the difference of 16 bytes of both texts; `memory` has the text that is searched. */
const different = (memory: number) =>
  wasm`local.get own; v128.load 0 ${TABLE}; local.get from; v128.load 0 ${memory}; v128.xor`;

const SEARCH_LOCALS = ["slot", "own", "at", "from", "rest", "row"] as const;

/**
 * Finds the slot of a text of a memory, or the empty slot for it, and its row + 1, which is 0 in
 * the empty slot. It skips a slot of another hash or size without reading the text.
 */
const searchCode = (memory: number) =>
  wasm`
  local.get data; local.get offsets; i32.load 0; i32.add; local.set at
  local.get offsets; i32.load 4; local.get offsets; i32.load 0; i32.sub
  i64.extend_i32_u; i32.const 32; i64.extend_i32_u; i64.shl
  local.get hashes; i32.load 0; i64.extend_i32_u; i64.or; local.set wanted
  local.get hashes; i32.load 0; local.get shift; i32.shr_u
  i32.const ${TEXT_SLOT_SHIFT}; i32.shl; local.set slot
  loop $probe
    local.get slots; local.get slot; i32.add; local.tee own; i32.load 12 ${TABLE}; local.tee row
    i32.const 0; i32.ne
    local.get own; i64.load 0 ${TABLE}; local.get wanted; i64.ne
    i32.and; if $
      ${nextSlot}
      br $probe
    end
    local.get row; if $
      local.get own; i32.load 8 ${TABLE}; local.set own
      local.get at; local.set from
      local.get offsets; i32.load 4; local.get offsets; i32.load 0; i32.sub; local.set rest
      block $equal
        loop $compare
          local.get rest; i32.const 16; i32.gt_s; if $
            ${different(memory)}; v128.any_true; i32.eqz; if $
              ${advance({ own: 16, from: 16, rest: -16 })}
              br $compare
            end
          else
            ${different(memory)}
            i32.const ${MASKS_AT}; local.get rest; i32.sub; v128.load 0; v128.and
            v128.any_true; i32.eqz; br_if $equal
          end
        end
        ${nextSlot}
        br $probe
      end
    end
  end
`;

/** Kernels that hash text, look it up in a table, and touch slots and texts ahead. */
export const findText: readonly WasmFunction[] = [
  hashTexts("hashTexts", 0),
  hashTexts("hashTableTexts", TABLE),
  // Writes the row + 1 of each text to `found`, 0 for a text that is not in the table.
  kernel(
    "findTexts",
    ["hashes", "end", "slots", "mask", "shift", "offsets", "data", "found"],
    { i32: SEARCH_LOCALS, i64: ["wanted"] },
    until(
      "hashes",
      "end",
      wasm`
        ${searchCode(0)}
        local.get found; local.get row; i32.store 0
        ${advance({ hashes: 4, offsets: 4, found: 4 })}
      `,
    ),
  ),
  // Inserts texts; the first is that of row `next` - 1. Writes the first row + 1 with each text to
  // `found`, 0 for null rows. Returns the sum of the distances of new texts from the slots of their
  // hashes.
  kernel(
    "insertTexts",
    [
      ...["hashes", "end", "slots", "mask", "shift", "offsets", "data", "found"],
      ...["next", "validity", "bit"],
    ],
    { i32: [...SEARCH_LOCALS, "steps"], i64: ["wanted"] },
    wasm`
      ${
      until(
        "hashes",
        "end",
        wasm`
          i32.const 0; local.set row
          ${isValid}; if $
            ${searchCode(TABLE)}
            local.get row; i32.eqz; if $
              local.get slots; local.get slot; i32.add; local.tee own
              local.get wanted; i64.store 0 ${TABLE}
              local.get own; local.get at; i32.store 8 ${TABLE}
              local.get own; local.get next; local.tee row; i32.store 12 ${TABLE}
              local.get own; ${ownSlot}; i32.sub; local.get mask; i32.and
              i32.const ${TEXT_SLOT_SHIFT}; i32.shr_u; local.get steps; i32.add; local.set steps
            end
          end
          local.get found; local.get row; i32.store 0
          ${advance({ hashes: 4, offsets: 4, found: 4, next: 1, bit: 1 })}
        `,
      )
    }
      local.get steps
    `,
    ["i32"],
  ),
  // Only reads the slot of each hash, so that cache misses overlap.
  touchKernel("touchSlots", wasm`i32.load 12 ${TABLE}`),
  // Reads the text of the first slot of each hash; an empty slot has place 0.
  touchKernel("touchTexts", wasm`i32.load 8 ${TABLE}; i32.load 0 ${TABLE}`),
];

/** Returns a kernel that reads a word for each hash, from its slot on, and drops it. */
function touchKernel(name: string, load: WasmCode): WasmFunction {
  return kernel(
    name,
    ["hashes", "end", "slots", "shift"],
    { i32: ["sum"] },
    wasm`
      ${
      until(
        "hashes",
        "end",
        wasm`
          ${ownSlot}; ${load}; local.get sum; i32.or; local.set sum
          ${advance({ hashes: 4 })}
        `,
      )
    }
      local.get sum
    `,
    ["i32"],
  );
}

/**
 * Returns a kernel that hashes each text of a memory by its words of 8 bytes, the last one padded
 * with zeros. The factor depends on the seed, so that nobody can guess it.
 */
function hashTexts(name: string, memory: number): WasmFunction {
  return kernel(
    name,
    ["offsets", "end", "data", "seed", "hashes"],
    { i32: ["at", "rest"], i64: ["hash", "factor", "shift"] },
    wasm`
      i32.const 32; i64.extend_i32_u; local.set shift
      i32.const ${FACTOR_HIGH}; local.get seed; i32.xor; i64.extend_i32_u; local.get shift; i64.shl
      i32.const ${FACTOR_LOW}; local.get seed; i32.const 1; i32.shl; i32.xor; i64.extend_i32_u
      i64.or; local.set factor
      ${
      until(
        "offsets",
        "end",
        wasm`
          local.get data; local.get offsets; i32.load 0; i32.add; local.set at
          local.get offsets; i32.load 4; local.get offsets; i32.load 0; i32.sub; local.tee rest
          local.get seed; i32.xor; i64.extend_i32_u; local.get shift; i64.shl
          local.get rest; i64.extend_i32_u; i64.or; local.set hash
          loop $words
            local.get rest; i32.const 8; i32.gt_s; if $
              local.get hash; local.get at; i64.load 0 ${memory}; i64.xor; ${mixed}
              ${advance({ at: 8, rest: -8 })}
              br $words
            end
          end
          local.get rest; if $
            local.get hash
            local.get at; i64.load 0 ${memory}
            i32.const 64; local.get rest; i32.const 3; i32.shl; i32.sub; i64.extend_i32_u; i64.shl
            i64.xor; ${mixed}
          end
          local.get hash; ${mixed}
          local.get hashes; local.get hash; local.get shift; i64.shr_u; i32.wrap_i64; i32.store 0
          ${advance({ offsets: 4, hashes: 4 })}
        `,
      )
    }
    `,
  );
}
