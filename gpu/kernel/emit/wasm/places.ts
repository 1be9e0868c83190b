/**
 * Reads 32 bytes of a text at a time. Most rows of real text are shorter, by lengths that no
 * processor can predict: two words without a branch cost less than one word with a branch.
 *
 * @module
 */

import { wasm, type WasmCode } from "../../../wasm/instructions.ts";
import type { WasmScope } from "./scalar.ts";

/** The number of bytes. */
export const PLACES = 32;

/**
 * Leaves a bit for each of 32 places. `word` leaves, for the 16 places from an offset on, bytes
 * whose highest bit is set if the place counts.
 */
export function placesCode(word: (offset: number) => WasmCode): WasmCode {
  return wasm`
    ${word(0)}; i8x16.bitmask
    ${word(16)}; i8x16.bitmask; i32.const 16; i32.shl; i32.or
  `;
}

/**
 * Leaves a bit for each of the 32 places, without the last `bytes.length - 1`, at which a needle of
 * a few bytes begins. All of them take two loads, since the engine checks each load.
 */
export function needlePlaces(bytes: Uint8Array, place: string, scope: WasmScope): WasmCode {
  const words = [scope.local("$word0", "v128"), scope.local("$word1", "v128")] as const;
  const from = (word: 0 | 1, index: number) => {
    const lanes = Array.from({ length: 16 }, (_, lane) => lane + index).join(" ");
    // The bytes after the second word may be anything.
    return index === 0
      ? wasm`local.get ${words[word]}`
      : wasm`local.get ${words[word]}; local.get ${words[1]}; i8x16.shuffle ${lanes}`;
  };
  const equal = (offset: number) =>
    Array.from(bytes, (byte, index) =>
      wasm`
        ${from(offset === 0 ? 0 : 1, index)}; local.get ${scope.splat(byte)}; i8x16.eq
        ${index > 0 ? [["v128.and"]] : []}
      `);
  const known = -1 >>> (bytes.length - 1);
  return wasm`
    local.get ${place}; v128.load 0; local.set ${words[0]}
    local.get ${place}; v128.load 16; local.set ${words[1]}
    ${placesCode(equal)}
    ${bytes.length === 1 ? [] : wasm`i32.const ${known}; i32.and`}
  `;
}
