/**
 * The check that text is UTF-8, in WebAssembly: 16 bytes at a time.
 *
 * The method is that of Keiser and Lemire, "Validating UTF-8 in less than one instruction per byte"
 * (2021). What is wrong with two bytes that follow each other shows in three halves of them, by which
 * three tables are read. Third and fourth bytes of a character are what is left to check.
 *
 * @module
 */

import { wasm, type WasmCode } from "../kernel/emit/wasm/instructions.ts";
import { encodeModule, onlyMemory, type WasmFunction } from "../kernel/emit/wasm/module.ts";

/** Bytes that are checked at once, a power of 2. */
export const BLOCK_BYTES = 64 << 10;
/** Rows whose starts are checked at once. */
export const BLOCK_ROWS = 16 << 10;

/** Where the text of a block lies: there are zeros before it, and room for zeros behind it. */
const TEXT_AT = 64;
const ZEROS_BEHIND = 80;
const STARTS_AT = TEXT_AT + BLOCK_BYTES + ZEROS_BEHIND;
const PAGE_BYTES = 64 << 10;

const [LOW, HIGH] = [range(0x0, 0x7), range(0x8, 0xb)];
const LEADS = range(0xc, 0xf);
const ANY = range(0x0, 0xf);

/**
 * What is wrong with a byte and the next one, a bit each, by the upper half of the first, its lower
 * half, and the upper half of the second. The last one is wrong only where no third or fourth byte of
 * a character has to be.
 */
const MISTAKES: readonly (readonly [number[], number[], number[]])[] = [
  // A lead without a byte that continues it; a byte that continues nothing.
  [LEADS, ANY, [...LOW, ...LEADS]],
  [LOW, ANY, HIGH],
  // Characters in more bytes than they take.
  [[0xc], [0x0, 0x1], HIGH],
  [[0xe], [0x0], [0x8, 0x9]],
  // Halves of pairs of UTF-16.
  [[0xe], [0xd], [0xa, 0xb]],
  // More than U+10FFFF.
  [[0xf], range(0x4, 0xf), range(0x9, 0xb)],
  // The same, and a character in four bytes that takes fewer.
  [[0xf], [0x0, ...range(0x5, 0xf)], [0x8]],
  // Two bytes that continue.
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

/** What is wrong with the 16 bytes at `at + place`, and those before them. */
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

/** Whether the bytes from `at` to `end` are UTF-8. There are zeros before and behind them. */
const isUtf8: WasmFunction = {
  name: "isUtf8",
  parameters: ["at", "end"],
  results: ["i32"],
  locals: [["bytes", "v128"], ["before", "v128"], ["mistakes", "v128"]],
  isExported: true,
  body: wasm`
    ;; Three bytes before, so that all places are added.
    local.get at; i32.const 3; i32.sub; local.set at
    local.get end; i32.const 3; i32.sub; local.set end
    loop words
      local.get at; v128.load 3; local.get at; v128.load 19; v128.or
      local.get at; v128.load 35; local.get at; v128.load 51; v128.or
      v128.or; i8x16.bitmask
      if other
        ${[0, 16, 32, 48].map(mistakesAt)}
      else
        ;; A character that began before has to end there.
        ${mistakesAt(0)}
      end
      local.get at; i32.const 64; i32.add; local.tee at
      ;; One zero more shows that the last character is whole.
      local.get end; i32.le_u; br_if words
    end
    local.get mistakes; v128.any_true; i32.eqz
  `,
};

/**
 * Whether no row begins inside a character, and none before the one in front of it. Positions are less
 * `first` those in the block; those outside of it are taken for others.
 */
const startsApart: WasmFunction = {
  name: "startsApart",
  parameters: ["at", "end", "first", "last"],
  results: ["i32"],
  locals: [["start", "i32"], ["signs", "i32"]],
  isExported: true,
  body: wasm`
    loop rows
      local.get signs
      local.get at; i32.load 0; local.tee start
      local.get start; local.get last; i32.sub; i32.or
      ;; Bytes that continue a character are those from -128 to -65.
      local.get start; local.get first; i32.sub; i32.const ${BLOCK_BYTES - 1}; i32.and
      i32.load8_s ${TEXT_AT}; i32.const 64; i32.add
      i32.or; i32.or; local.set signs
      local.get start; local.set last
      local.get at; i32.const 4; i32.add; local.tee at
      local.get end; i32.lt_u; br_if rows
    end
    local.get signs; i32.const 0; i32.ge_s
  `,
};

/** The functions of the module, as they are called: with places and numbers. */
interface Functions {
  isUtf8(at: number, end: number): number;
  startsApart(at: number, end: number, first: number, last: number): number;
}

/** A block of text and of starts of rows, to be checked. */
export class Utf8Block {
  readonly #text: Uint8Array;
  readonly #starts: Int32Array;
  readonly #functions: Functions;

  constructor(module: WebAssembly.Module) {
    const numPages = Math.ceil((STARTS_AT + 4 * BLOCK_ROWS) / PAGE_BYTES);
    const memory = new WebAssembly.Memory({ initial: numPages, maximum: numPages });
    this.#text = new Uint8Array(memory.buffer, TEXT_AT, BLOCK_BYTES + ZEROS_BEHIND);
    this.#starts = new Int32Array(memory.buffer, STARTS_AT, BLOCK_ROWS);
    const { exports } = new WebAssembly.Instance(module, { host: { memory } });
    this.#functions = exports as unknown as Functions;
  }

  /** Takes some text, at most `BLOCK_BYTES`, and says whether it is UTF-8 by itself. */
  isUtf8(text: Uint8Array): boolean {
    this.#text.set(text);
    this.#text.fill(0, text.length, text.length + ZEROS_BEHIND);
    return this.#functions.isUtf8(TEXT_AT, TEXT_AT + text.length) !== 0;
  }

  /**
   * Whether rows, at most `BLOCK_ROWS`, begin at no byte of the text that continues a character, and
   * none before the one in front of it, which begins at `last`. `starts` count from `first` before
   * the text; the last one lies in it.
   */
  startsApart(starts: Int32Array, first: number, last: number): boolean {
    if (starts.length === 0) return true;
    this.#starts.set(starts);
    const end = STARTS_AT + 4 * starts.length;
    return this.#functions.startsApart(STARTS_AT, end, first, last) !== 0;
  }
}

let block: Utf8Block | null | undefined;

/** The block of this thread; null where the engine has no words of 16 bytes. */
export function utf8Block(): Utf8Block | null {
  if (block !== undefined) return block;
  const bytes = encodeModule([isUtf8, startsApart], onlyMemory(false)) as BufferSource;
  const hasWords = typeof WebAssembly !== "undefined" && WebAssembly.validate(bytes);
  return block = hasWords ? new Utf8Block(new WebAssembly.Module(bytes)) : null;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function table(bytes: readonly number[] | undefined): WasmCode {
  return wasm`v128.const ${bytes!.join(" ")}`;
}

function all(byte: number): WasmCode {
  return table(Array.from({ length: 16 }, () => byte));
}
