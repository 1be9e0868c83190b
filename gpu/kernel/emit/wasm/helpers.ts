/**
 * Functions that WebAssembly kernels call.
 *
 * @module
 */

import { wasm, type WasmCode } from "../../../wasm/instructions.ts";
import type { WasmFunction } from "../../../wasm/module.ts";
import { divisions } from "./divide.ts";
import { productTests } from "./overflow.ts";

/** The bytes from which the engine's own copy is faster. */
const MIN_BULK = 512;

/** Copies whole words of 16 bytes until all bytes are copied; the last word may write too many. */
const copy: WasmFunction = {
  name: "copy",
  parameters: ["to", "from", "size"],
  results: [],
  locals: [["end", "i32"]],
  body: wasm`
    local.get size; i32.const ${MIN_BULK}; i32.ge_s; if bulk
      local.get to; local.get from; local.get size; memory.copy
      return
    end
    local.get to; local.get size; i32.add; local.set end
    loop words
      local.get to; local.get from; v128.load 0; v128.store 0
      local.get from; i32.const 16; i32.add; local.set from
      local.get to; i32.const 16; i32.add; local.tee to; local.get end; i32.lt_s; br_if words
    end
  `,
};

/** Writes a text several times; `end` is after the last copy. */
const repeat: WasmFunction = {
  name: "repeat",
  parameters: ["to", "from", "size", "end"],
  results: [],
  locals: [],
  body: wasm`
    local.get size; i32.const 1; i32.eq; if byte
      local.get to; local.get from; i32.load8_u 0; local.get end; local.get to; i32.sub
      memory.fill
      return
    end
    loop texts
      local.get to; local.get from; local.get size; call copy
      local.get to; local.get size; i32.add; local.tee to; local.get end; i32.lt_s; br_if texts
    end
  `,
};

/** Clears those of the first bits of a bitmap that are not set in another one. */
const andBits: WasmFunction = {
  name: "andBits",
  parameters: ["to", "from", "count"],
  results: [],
  locals: [["end", "i32"]],
  body: wasm`
    local.get to; local.get count; i32.const 3; i32.shr_u; i32.add; local.set end
    block done
      loop words
        local.get end; local.get to; i32.sub; i32.const 16; i32.lt_s; br_if done
        local.get to; local.get to; v128.load 0; local.get from; v128.load 0; v128.and
        v128.store 0
        local.get from; i32.const 16; i32.add; local.set from
        local.get to; i32.const 16; i32.add; local.set to
        br words
      end
    end
    block done
      loop bytes
        local.get to; local.get end; i32.ge_s; br_if done
        local.get to; local.get to; i32.load8_u 0; local.get from; i32.load8_u 0; i32.and
        i32.store8 0
        local.get from; i32.const 1; i32.add; local.set from
        local.get to; i32.const 1; i32.add; local.set to
        br bytes
      end
    end
    ;; Of the last byte, the bits behind the first ones stay.
    local.get count; i32.const 7; i32.and; if rest
      local.get to; local.get to; i32.load8_u 0
      local.get from; i32.load8_u 0; i32.const -1; local.get count; i32.const 7; i32.and
      i32.shl; i32.or; i32.and; i32.store8 0
    end
  `,
};

/** Counts the bits [first, stop) of a bitmap that are not set, 32 at a time. */
const countUnset: WasmFunction = {
  name: "countUnset",
  parameters: ["bits", "first", "stop"],
  results: ["i32"],
  locals: [["at", "i32"], ["word", "i32"], ["count", "i32"]],
  body: wasm`
    local.get first; i32.const -32; i32.and; local.set at
    block done
      loop words
        local.get at; local.get stop; i32.ge_s; br_if done
        local.get bits; local.get at; i32.const 3; i32.shr_u; i32.add; i32.load 0
        i32.const -1; i32.xor; local.set word
        local.get at; local.get first; i32.lt_s; if partly
          local.get word; i32.const -1; local.get first; i32.shl; i32.and; local.set word
        end
        local.get stop; local.get at; i32.sub; i32.const 32; i32.lt_s; if partly
          local.get word; i32.const -1; local.get stop; i32.shl; i32.const -1; i32.xor; i32.and
          local.set word
        end
        local.get count; local.get word; i32.popcnt; i32.add; local.set count
        local.get at; i32.const 32; i32.add; local.set at
        br words
      end
    end
    local.get count
  `,
};

/**
 * Collects the bits of some words of 16 bytes a round in `seen`. `wholeBytes` masks the size to the
 * bytes of whole rounds.
 */
function seeWords(words: number, wholeBytes: number): WasmCode {
  const seeWord = (_: unknown, word: number) =>
    wasm`local.get from; v128.load ${16 * word}; v128.or`;
  return wasm`
    local.get from; local.get size; i32.const ${wholeBytes}; i32.and; i32.add; local.set end
    local.get from; local.get end; i32.lt_u; if whole
      loop words
        local.get seen; ${Array.from({ length: words }, seeWord)}; local.set seen
        local.get from; i32.const ${16 * words}; i32.add; local.set from
        local.get from; local.get end; i32.lt_u; br_if words
      end
    end
  `;
}

/** Returns whether all bytes are below 0x80; ignores the bytes after them. */
export const isAscii: WasmFunction = {
  name: "isAscii",
  parameters: ["from", "size"],
  results: ["i32"],
  locals: [["end", "i32"], ["seen", "v128"]],
  isExported: true,
  body: wasm`
    ${seeWords(4, -64)}
    ${seeWords(1, 48)}
    local.get seen; i8x16.bitmask
    ;; The bits of the bytes that are left.
    local.get from; v128.load 0; i8x16.bitmask
    i32.const 1; local.get size; i32.const 15; i32.and; i32.shl; i32.const 1; i32.sub
    i32.and; i32.or; i32.eqz
  `,
};

/** Returns the functions of some names, and those that they call. */
export function wasmHelpers(names: ReadonlySet<string>): WasmFunction[] {
  const wanted = new Set(names.has("repeat") ? [...names, "copy"] : names);
  const all = [copy, repeat, andBits, countUnset, ...divisions, ...productTests];
  return all.filter(({ name }) => wanted.has(name));
}
