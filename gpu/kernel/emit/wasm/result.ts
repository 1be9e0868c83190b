/**
 * Stores the fixed-width values of rows. Bits are collected first, so that no row waits for the
 * store of the previous one.
 *
 * @module
 */

import { byteWidth, type ColumnType } from "../../../column/column.ts";
import { wasm, type WasmCode } from "../../../wasm/instructions.ts";
import type { Scalar } from "../../ir/ir.ts";
import { bitsOfFloat } from "./float.ts";
import type { WasmScope } from "./scalar.ts";

/** The local with the bits of the latest 32 rows, the last of them as the highest. */
const BITS = "$bits";
/** The number of true rows among 32 up to which a search for the next one pays. */
const FEW_ROWS = 2;

/**
 * Returns code that stores one word of a value. If `mask` leaves an i32, only the bits that are set
 * in it stay.
 */
export function storeWord(
  type: ColumnType,
  word: Scalar,
  index: number,
  mask: WasmCode | null,
  scope: WasmScope,
): WasmCode {
  const width = byteWidth(type);
  const isWide = width >= 8 && word.type !== "i32";
  const store = isWide
    ? "i64.store"
    : width === 1
    ? "i32.store8"
    : width === 2
    ? "i32.store16"
    : "i32.store";
  const value = word.type === "f64" ? bitsOfFloat(word, isWide ? 64 : 32, scope) : scope.code(word);
  const masked = mask === null
    ? value
    : isWide
    ? wasm`${value}; ${mask}; i64.extend_i32_s; i64.and`
    : wasm`${value}; ${mask}; i32.and`;
  return wasm`
    local.get $result; local.get $row; i32.const ${width}; i32.mul; i32.add
    ${masked}; ${store} ${(isWide ? 8 : 4) * index}
  `;
}

/** Returns code that sets the bit of the row, which was 0, to what other code leaves: 0 or 1. */
export function setBit(bit: WasmCode): WasmCode {
  return wasm`
    ${byteOf("$result")}
    ${byteOf("$result")}; i32.load8_u 0
    ${bit}; local.get $row; i32.const 7; i32.and; i32.shl; i32.or; i32.store8 0
  `;
}

/** Bits that every row has, one after another in the memory. */
export interface BitRun {
  /** The local with the bits of the latest 32 rows, the last of them as the highest. */
  readonly bits: string;
  /** The local with the place of the first byte. */
  readonly place: string;
  /** Whether a bit is only set if it already is. */
  readonly isAnd: boolean;
}

/** The bits of a result. */
export const RESULT_BITS: BitRun = { bits: BITS, place: "$result", isAnd: false };
/** The bits of rows that are not null. */
export const VALID_BITS: BitRun = { bits: "$validBits", place: "$validity", isAnd: true };

/** The code for the bits of all rows, if every row has one. */
interface BitsCode {
  /** The code before all rows: bits of earlier rows share a byte with the first row. */
  readonly first: WasmCode;
  /** The code after all rows. */
  readonly last: WasmCode;
}

/** Returns the code for the bits of all rows. */
export function bitsCode(run: BitRun, scope: WasmScope): BitsCode {
  const bits = scope.local(run.bits);
  const count = wasm`local.get $row; i32.const 7; i32.and`;
  const place = byteOf(run.place);
  // The bits behind the last row stay.
  const behind = wasm`i32.const -1; ${count}; i32.shl; i32.or`;
  return {
    first: wasm`
      ${place}; i32.load8_u 0; i32.const 0; ${count}; i32.sub; i32.shl; local.set ${bits}
    `,
    last: wasm`
      ${count}; if $
        ${place}; local.get ${bits}; i32.const 0; ${count}; i32.sub; i32.shr_u
        ${run.isAnd ? wasm`${behind}; ${place}; i32.load8_u 0; i32.and` : []}; i32.store8 0
      end
    `,
  };
}

/**
 * Returns code that adds the bit of a row, which other code leaves, and stores every eight of them.
 */
export function appendBit(bit: WasmCode, run: BitRun, scope: WasmScope): WasmCode {
  const bits = scope.local(run.bits);
  const place = byteOf(run.place);
  return wasm`
    local.get ${bits}; i32.const 1; i32.shr_u; ${bit}; i32.const 31; i32.shl; i32.or
    local.set ${bits}
    local.get $row; i32.const 7; i32.and; i32.const 7; i32.eq; if $
      ${place}; local.get ${bits}; i32.const 24; i32.shr_u
      ${run.isAnd ? wasm`${place}; i32.load8_u 0; i32.and` : []}; i32.store8 0
    end
  `;
}

/** Leaves the place of the byte with the row's bit. */
function byteOf(place: string): WasmCode {
  return wasm`local.get ${place}; local.get $row; i32.const 3; i32.shr_u; i32.add`;
}

/** Returns code that adds bits of false rows; other code leaves their number. */
export function passBits(count: WasmCode, scope: WasmScope): WasmCode {
  const bits = scope.local(BITS);
  return wasm`
    local.get ${bits}; ${count}; i32.shr_u; i32.const 0; ${count}; i32.const 32; i32.lt_u; select
    local.set ${bits}
  `;
}

/** Leaves whether only a few of the latest 32 rows were true. */
export function fewOfLate(scope: WasmScope): WasmCode {
  return wasm`local.get ${scope.local(BITS)}; i32.popcnt; i32.const ${FEW_ROWS}; i32.le_u`;
}
