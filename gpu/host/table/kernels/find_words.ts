/**
 * Lookups of keys of one to three words in a hash table: open addressing with linear probing, the
 * key beside its row in a slot.
 *
 * @module
 */

import { wasm, type WasmCode } from "../../../wasm/instructions.ts";
import type { WasmFunction } from "../../../wasm/module.ts";
import type { KeyWidth } from "../../../key/key_words.ts";
import { advance, isValid, kernel, TABLE, until } from "./loops.ts";

/**
 * Returns the binary logarithm of the bytes of a slot: the words of the key, maybe an unused one,
 * and the row + 1.
 */
export function slotShift(width: KeyWidth): 3 | 4 {
  return width === 1 ? 3 : 4;
}

/** The parameters of the hash of a key. */
const HASHING = ["shift", "factor0", "factor1", "factor2"] as const;

/** `findWords1` to `findWords3`, and `insertWords` and `touchWords` for the same widths. */
export const findWords: readonly WasmFunction[] = ([1, 2, 3] as const)
  .flatMap((width) => [find(width), insert(width), touch(width)]);

/**
 * Returns a kernel that writes the row + 1 of each key to `found`, 0 for a key that is not in the
 * table.
 */
function find(width: KeyWidth): WasmFunction {
  return kernel(
    `findWords${width}`,
    ["keys", "end", "slots", "mask", ...HASHING, "found"],
    keyLocals(width, "slot", "row"),
    until(
      "keys",
      "end",
      wasm`
        ${loadKey(width)}; ${probeCode(width)}
        local.get found; local.get row; i32.store 0
        ${advance({ keys: 4 * width, found: 4 })}
      `,
    ),
  );
}

/**
 * Returns a kernel that inserts keys; the first is that of row `next` - 1. It writes the first row
 * + 1 with each key to `found`, 0 for null rows, and returns the sum of the distances of new keys
 * from the slots of their hashes.
 */
function insert(width: KeyWidth): WasmFunction {
  const size = slotBytes(width);
  const slot = wasm`local.get slots; local.get slot; i32.add`;
  return kernel(
    `insertWords${width}`,
    ["keys", "end", "slots", "mask", ...HASHING, "found", "next", "validity", "bit"],
    keyLocals(width, "slot", "row", "own", "steps"),
    wasm`
      ${
      until(
        "keys",
        "end",
        wasm`
          i32.const 0; local.set row
          ${isValid}; if $
            ${loadKey(width)}; ${probeCode(width, wasm`local.get slot; local.set own`)}
            local.get row; i32.eqz; if $
              ${slot}; ${storeKey(width)}
              ${slot}; local.get next; local.tee row; i32.store ${size - 4} ${TABLE}
              local.get slot; local.get own; i32.sub; local.get mask; i32.and
              i32.const ${slotShift(width)}; i32.shr_u; local.get steps; i32.add; local.set steps
            end
          end
          local.get found; local.get row; i32.store 0
          ${advance({ keys: 4 * width, found: 4, next: 1, bit: 1 })}
        `,
      )
    }
      local.get steps
    `,
    ["i32"],
  );
}

/** Returns a kernel that only reads the slot of each key, so that cache misses overlap. */
function touch(width: KeyWidth): WasmFunction {
  return kernel(
    `touchWords${width}`,
    ["keys", "end", "slots", ...HASHING],
    keyLocals(width, "sum"),
    wasm`
      ${
      until(
        "keys",
        "end",
        wasm`
          ${loadKey(width)}
          local.get slots; ${hashCode(width)}; i32.add; i32.load 0 ${TABLE}
          local.get sum; i32.or; local.set sum
          ${advance({ keys: 4 * width })}
        `,
      )
    }
      local.get sum
    `,
    ["i32"],
  );
}

function slotBytes(width: KeyWidth): number {
  return 1 << slotShift(width);
}

function keyLocals(width: KeyWidth, ...others: string[]) {
  return width === 1
    ? { i32: [...others, "word0"] }
    : { i32: [...others, ...width === 3 ? ["word2"] : []], i64: ["pair"] };
}

/**
 * Returns code that finds the slot of the key, or the empty slot for it, and its row + 1, which is
 * 0 in the empty slot. Only a slot of another key costs a branch.
 */
function probeCode(width: KeyWidth, first: WasmCode = []): WasmCode {
  const size = slotBytes(width);
  return wasm`
    ${hashCode(width)}; local.set slot
    ${first}
    loop $probe
      local.get slots; local.get slot; i32.add; i32.load ${size - 4} ${TABLE}; local.tee row
      i32.const 0; i32.ne; ${isOtherKey(width)}; i32.and; if $
        local.get slot; i32.const ${size}; i32.add; local.get mask; i32.and; local.set slot
        br $probe
      end
    end
  `;
}

/** Returns code that writes the key to the place on the stack. */
function storeKey(width: KeyWidth): WasmCode {
  if (width === 1) return wasm`local.get word0; i32.store 0 ${TABLE}`;
  const third = wasm`
    local.get slots; local.get slot; i32.add; local.get word2; i32.store 8 ${TABLE}
  `;
  return wasm`local.get pair; i64.store 0 ${TABLE}; ${width === 3 ? third : []}`;
}

function loadKey(width: KeyWidth): WasmCode {
  if (width === 1) return wasm`local.get keys; i32.load 0; local.set word0`;
  return wasm`
    local.get keys; i64.load 0; local.set pair
    ${width === 3 ? wasm`local.get keys; i32.load 8; local.set word2` : []}
  `;
}

/** Returns code that leaves the place of the slot of the key, relative to the first slot. */
function hashCode(width: KeyWidth): WasmCode {
  const first = width === 1 ? wasm`local.get word0; local.get factor0; i32.mul` : wasm`
      local.get pair; i32.wrap_i64; local.get factor0; i32.mul
      local.get keys; i32.load 4; local.get factor1; i32.mul; i32.add
    `;
  const third = wasm`local.get word2; local.get factor2; i32.mul; i32.add`;
  return wasm`
    ${first}; ${width === 3 ? third : []}
    local.get shift; i32.shr_u; i32.const ${slotShift(width)}; i32.shl
  `;
}

/** Returns code that leaves whether the slot has another key. */
function isOtherKey(width: KeyWidth): WasmCode {
  const slot = wasm`local.get slots; local.get slot; i32.add`;
  if (width === 1) return wasm`${slot}; i32.load 0 ${TABLE}; local.get word0; i32.ne`;
  const third = wasm`${slot}; i32.load 8 ${TABLE}; local.get word2; i32.ne; i32.or`;
  return wasm`${slot}; i64.load 0 ${TABLE}; local.get pair; i64.ne; ${width === 3 ? third : []}`;
}
