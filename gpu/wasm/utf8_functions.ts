/**
 * Validates UTF-8 in WebAssembly, 16 bytes at a time.
 *
 * The method is that of Keiser and Lemire, "Validating UTF-8 in less than one instruction per byte"
 * (2021). An error in two neighbouring bytes shows in three of their halves, each of which selects
 * from a table. Only the third and fourth bytes of characters need another check.
 *
 * @module
 */

import { wasm, type WasmCode } from "./instructions.ts";
import { encodeModule, onlyMemory, type WasmFunction } from "./module.ts";

/** The bytes before and after a text that a check overwrites with zeros. */
export const ZEROS_BEFORE = 16;
export const ZEROS_BEHIND = 96;

/** The offsets of the words of zeros after a text. */
const ZEROS = [0, 16, 32, 48, 64, 80];

const [LOW, HIGH] = [range(0x0, 0x7), range(0x8, 0xb)];
const LEADS = range(0xc, 0xf);
const ANY = range(0x0, 0xf);

/**
 * The errors that two neighbouring bytes can make, a bit each, by the upper half of the first byte,
 * its lower half, and the upper half of the second byte. The last one is an error only if the
 * second byte need not be the third or fourth byte of a character.
 */
const MISTAKES: readonly (readonly [number[], number[], number[]])[] = [
  // A lead without a continuation byte; a continuation byte without a lead.
  [LEADS, ANY, [...LOW, ...LEADS]],
  [LOW, ANY, HIGH],
  // Overlong characters.
  [[0xc], [0x0, 0x1], HIGH],
  [[0xe], [0x0], [0x8, 0x9]],
  // Surrogates.
  [[0xe], [0xd], [0xa, 0xb]],
  // Code points above U+10FFFF.
  [[0xf], range(0x4, 0xf), range(0x9, 0xb)],
  // The same, and overlong characters of four bytes.
  [[0xf], [0x0, ...range(0x5, 0xf)], [0x8]],
  // Two continuation bytes.
  [HIGH, ANY, HIGH],
];

const [BY_FIRST_UPPER, BY_FIRST_LOWER, BY_SECOND_UPPER] = [0, 1, 2].map((half) =>
  ANY.map((value) =>
    MISTAKES.reduce(
      (bits, halves, bit) => halves[half]!.includes(value) ? bits | 1 << bit : bits,
      0,
    )
  )
);

/** Returns the code that finds errors in the 16 bytes at `at + place` and those before them. */
function mistakesAt(place: number): WasmCode {
  return wasm`
    local.get at; v128.load ${place + 3}; local.set bytes
    local.get at; v128.load ${place + 2}; local.set before
    ${table(BY_FIRST_UPPER)}; local.get before; i32.const 4; i8x16.shr_u; i8x16.swizzle
    ${table(BY_FIRST_LOWER)}; local.get before; ${all(0x0f)}; v128.and; i8x16.swizzle
    v128.and
    ${table(BY_SECOND_UPPER)}; local.get bytes; i32.const 4; i8x16.shr_u; i8x16.swizzle
    v128.and
    ;; The upper bit where a lead of three or four bytes lies two before, or one of four three before.
    local.get at; v128.load ${place + 1}; ${all(0xe0 - 0x80)}; i8x16.sub_sat_u
    local.get at; v128.load ${place}; ${all(0xf0 - 0x80)}; i8x16.sub_sat_u
    v128.or; ${all(0x80)}; v128.and
    v128.xor
    local.get mistakes; v128.or; local.set mistakes
  `;
}

/**
 * Returns the code that checks the 16 bytes at `at + place`, all below 0xe0: the continuation bytes
 * must be exactly those after a lead. `carry` has a bit for each byte that must be a continuation
 * byte.
 */
function pairsAt(place: number): WasmCode {
  return wasm`
    ${all(0xc0)}; local.get at; v128.load ${place + 3}; local.tee bytes; i8x16.gt_s
    i8x16.bitmask; local.set continues
    ;; 0xc0 and 0xc1 begin no character.
    ${all(0xc2)}; local.get bytes; i8x16.gt_s; i8x16.bitmask; local.tee low
    local.get continues; i32.xor
    ;; The others are leads.
    local.get bytes; i8x16.bitmask; local.get low; i32.xor; i32.const 1; i32.shl
    local.get carry; i32.or; local.tee carry; i32.const 0xffff; i32.and
    local.get continues; i32.xor
    i32.or; local.get wrong; i32.or; local.set wrong
    local.get carry; i32.const 16; i32.shr_u; local.set carry
  `;
}

/** The code that finds which bytes after the 64 at `at` must be continuation bytes. */
const CARRY: WasmCode = wasm`
  local.get at; v128.load 51; local.tee bytes
  ${all(0xc0)}; i8x16.ge_u; i8x16.bitmask; i32.const 15; i32.shr_u
  local.get bytes; ${all(0xe0)}; i8x16.ge_u; i8x16.bitmask; i32.const 14; i32.shr_u; i32.or
  local.get bytes; ${all(0xf0)}; i8x16.ge_u; i8x16.bitmask; i32.const 13; i32.shr_u; i32.or
  local.set carry
`;

/**
 * Returns the code for a vector that is not 0 where one of the 16 bytes at `at + place` is 0xe0 or
 * more.
 */
function longAt(place: number): WasmCode {
  return wasm`local.get at; v128.load ${place + 3}; ${all(0xdf)}; i8x16.sub_sat_u`;
}

/**
 * Whether the bytes from `at` to `end` are valid UTF-8. It checks 64 bytes at a time: ASCII only,
 * with characters of two bytes, which masks validate, or with others, which need the tables.
 */
const isUtf8: WasmFunction = {
  name: "isUtf8",
  parameters: ["at", "end"],
  results: ["i32"],
  locals: [
    ...["bytes", "before", "mistakes"].map((name) => [name, "v128"] as const),
    ...["continues", "low", "carry", "wrong"].map((name) => [name, "i32"] as const),
  ],
  isExported: true,
  body: wasm`
    ;; A character that is torn off at either end meets a zero.
    local.get at; i32.const ${ZEROS_BEFORE}; i32.sub; ${all(0)}; v128.store 0
    ${ZEROS.map((place) => wasm`local.get end; ${all(0)}; v128.store ${place}`)}
    ;; Three bytes before, so that all places are added.
    local.get at; i32.const 3; i32.sub; local.set at
    local.get end; i32.const 3; i32.sub; local.set end
    loop words
      local.get at; v128.load 3; local.get at; v128.load 19; v128.or
      local.get at; v128.load 35; local.get at; v128.load 51; v128.or
      v128.or; i8x16.bitmask
      if other
        ${longAt(0)}; ${longAt(16)}; v128.or; ${longAt(32)}; ${longAt(48)}; v128.or
        v128.or; v128.any_true
        if long
          ;; And those behind, which may follow a lead that allows not all bytes.
          ${[0, 16, 32, 48, 64].map(mistakesAt)}
          ${CARRY}
        else
          ${[0, 16, 32, 48].map(pairsAt)}
        end
      else
        local.get wrong; local.get carry; i32.or; local.set wrong
        i32.const 0; local.set carry
      end
      local.get at; i32.const 64; i32.add; local.tee at
      ;; One zero more shows that the last character is whole.
      local.get end; i32.le_u; br_if words
    end
    local.get mistakes; v128.any_true; local.get wrong; i32.or; i32.eqz
  `,
};

/** The number of rows whose starts are checked together. */
const TOGETHER = 4;

/**
 * Whether the starts of the rows ascend, each at the first byte of a character. They lie from `at`
 * to `end`, followed by the end of the last row. The text of the first row begins at `text`, and
 * its start is `first`; a row that begins after `size` bytes is not checked.
 */
const startsApart: WasmFunction = {
  name: "startsApart",
  parameters: ["at", "end", "text", "first", "size"],
  results: ["i32"],
  locals: [
    ...["starts", "next", "signs"].map((name) => [name, "v128"] as const),
    ...["start", "stop", "wrong"].map((name) => [name, "i32"] as const),
  ],
  isExported: true,
  body: wasm`
    block last
      loop four
        local.get at; i32.const ${4 * TOGETHER}; i32.add; local.get end; i32.gt_u; br_if last
        local.get at; v128.load 0; local.tee starts
        local.get at; v128.load 4; local.tee next
        i32x4.gt_s
        local.get next; v128.or; local.get signs; v128.or; local.set signs
        ;; Where the rows lie in the memory.
        local.get starts; local.get first; i32x4.splat; i32x4.sub
        local.get size; i32x4.splat; i32x4.min_u
        local.get text; i32x4.splat; i32x4.add; local.set starts
        ${
    Array.from({ length: TOGETHER }, (_, row) =>
      continuesAt(wasm`
          local.get starts; i32x4.extract_lane ${row}
        `))
  }
        local.get at; i32.const ${4 * TOGETHER}; i32.add; local.set at
        br four
      end
    end
    block done
      loop rows
        local.get at; local.get end; i32.ge_u; br_if done
        local.get at; i32.load 0; local.tee start
        local.get at; i32.load 4; local.tee stop; i32.gt_s
        if before; i32.const -1; local.set wrong; end
        local.get stop; local.get wrong; i32.or; local.set wrong
        ${
    continuesAt(wasm`
          local.get start; local.get first; i32.sub; local.tee start
          local.get size; local.get start; local.get size; i32.lt_u; select
          local.get text; i32.add
        `)
  }
        local.get at; i32.const 4; i32.add; local.set at
        br rows
      end
    end
    local.get signs; i32x4.bitmask; local.get wrong; i32.const 0; i32.lt_s; i32.or; i32.eqz
  `,
};

/**
 * Returns the code that makes `wrong` negative if the byte at a place of the memory is a
 * continuation byte.
 */
function continuesAt(place: WasmCode): WasmCode {
  // Continuation bytes are those from -128 to -65.
  return wasm`
    ${place}; i32.load8_s 0; i32.const 64; i32.add
    local.get wrong; i32.or; local.set wrong
  `;
}

/** Whether each of one or more rows, whose text begins at `text`, is valid UTF-8 on its own. */
const areUtf8: WasmFunction = {
  name: "areUtf8",
  parameters: ["text", "size", "starts", "numRows"],
  results: ["i32"],
  locals: [],
  isExported: true,
  body: wasm`
    local.get text; local.get text; local.get size; i32.add; call isUtf8
    if whole i32
      local.get starts; local.get starts; local.get numRows; i32.const 2; i32.shl; i32.add
      local.get text; local.get starts; i32.load 0; local.get size; call startsApart
    else
      i32.const 0
    end
  `,
};

/** The functions of the module, which take addresses and numbers. */
export interface Utf8Functions {
  /**
   * Whether the bytes from `at` to `end` are valid UTF-8. Overwrites `ZEROS_BEFORE` bytes before
   * them and `ZEROS_BEHIND` bytes after them.
   */
  isUtf8(at: number, end: number): number;
  /**
   * Whether each row begins at the first byte of a character. The byte after the text must not be
   * a continuation byte.
   */
  startsApart(at: number, end: number, text: number, first: number, size: number): number;
  /**
   * Checks both for rows whose `size` bytes of text are at `text`, and whose starts, followed by
   * the end of the last row, are at `starts`. False also if bytes below nulls are not valid UTF-8.
   */
  areUtf8(text: number, size: number, starts: number, numRows: number): number;
}

/** Encodes the module of these functions, for a memory that threads share or not. */
export function utf8Module(isShared: boolean): Uint8Array {
  return encodeModule([isUtf8, startsApart, areUtf8], onlyMemory(isShared));
}

/** Returns the functions over a memory that is not shared. */
export function utf8FunctionsIn(memory: WebAssembly.Memory): Utf8Functions {
  module ??= new WebAssembly.Module(utf8Module(false) as BufferSource);
  const { exports } = new WebAssembly.Instance(module, { host: { memory } });
  return exports as unknown as Utf8Functions;
}

let module: WebAssembly.Module | undefined;

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function table(bytes: readonly number[] | undefined): WasmCode {
  return wasm`v128.const ${bytes!.join(" ")}`;
}

function all(byte: number): WasmCode {
  return table(Array.from({ length: 16 }, () => byte));
}
