/**
 * Checks in WebAssembly that text is valid UTF-8, block by block; text and row starts are copied
 * into its memory.
 *
 * @module
 */

import {
  type Utf8Functions,
  utf8FunctionsIn,
  utf8Module,
  ZEROS_BEFORE,
  ZEROS_BEHIND,
} from "../wasm/utf8_functions.ts";

/** The most bytes of a block. */
export const BLOCK_BYTES = 64 << 10;
/** The most rows whose starts are checked in one call. */
export const BLOCK_ROWS = 16 << 10;

/** The addresses of the text of a block, and of the starts of its rows. */
const TEXT_AT = 4 * ZEROS_BEFORE;
const STARTS_AT = TEXT_AT + BLOCK_BYTES + ZEROS_BEHIND;
const PAGE_BYTES = 64 << 10;

/** A block of text and row starts to check. */
export class Utf8Block {
  readonly #text: Uint8Array;
  readonly #starts: Int32Array;
  readonly #functions: Utf8Functions;
  #size = 0;

  constructor() {
    const numPages = Math.ceil((STARTS_AT + 4 * (BLOCK_ROWS + 1)) / PAGE_BYTES);
    const memory = new WebAssembly.Memory({ initial: numPages, maximum: numPages });
    this.#text = new Uint8Array(memory.buffer, TEXT_AT, BLOCK_BYTES);
    this.#starts = new Int32Array(memory.buffer, STARTS_AT, BLOCK_ROWS + 1);
    this.#functions = utf8FunctionsIn(memory);
  }

  /**
   * Copies at most `BLOCK_BYTES` of text into the block. Returns whether it is valid UTF-8 on its
   * own.
   */
  isUtf8(text: Uint8Array): boolean {
    this.#text.set(text);
    this.#size = text.length;
    return this.#functions.isUtf8(TEXT_AT, TEXT_AT + text.length) !== 0;
  }

  /**
   * Whether rows, at most `BLOCK_ROWS`, begin at characters and in ascending order. `starts` are
   * offsets, where the text of the block begins at offset `first`. The last one is the end of the
   * last row, which may lie after the text.
   */
  startsApart(starts: Int32Array, first: number): boolean {
    this.#starts.set(starts);
    const end = STARTS_AT + 4 * (starts.length - 1);
    return this.#functions.startsApart(STARTS_AT, end, TEXT_AT, first, this.#size) !== 0;
  }
}

let block: Utf8Block | null | undefined;

/** Returns the block of this thread; null if the runtime's WebAssembly has no SIMD. */
export function utf8Block(): Utf8Block | null {
  if (block !== undefined) return block;
  const hasWords = typeof WebAssembly !== "undefined" &&
    WebAssembly.validate(utf8Module(false) as BufferSource);
  return block = hasWords ? new Utf8Block() : null;
}
