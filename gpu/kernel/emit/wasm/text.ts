/**
 * Prints code that appends text to the result as WebAssembly: bytes, copies and repetitions.
 *
 * @module
 */

import { spaceName } from "../host/calling_convention.ts";
import type { WasmScope } from "./scalar.ts";
import { MAX_REPEATED_BYTES, type Scalar, type Space, type Stmt } from "../../ir/ir.ts";
import { binary, constantOf } from "../../ir/scalar.ts";

import { wasm, type WasmCode, type WasmInstruction } from "../../../wasm/instructions.ts";

/** The bytes that a copy in place always moves. */
const COPIED_BYTES = 32;
/** The bytes of a repeated byte that are always written in place. */
const FILLED_BYTES = 32;

/**
 * Prints code that appends text at `$at`, up to `$limit`. If the text does not fit, the code leaves
 * the block `$full`.
 */
export class WasmText {
  readonly #scope: WasmScope;

  constructor(scope: WasmScope) {
    this.#scope = scope;
  }

  /** Appends single bytes. */
  puts(puts: readonly (Stmt & { do: "put" })[]): WasmCode {
    const stores = puts.map(({ byte }, index) =>
      wasm`local.get $at; ${this.#scope.code(byte)}; i32.store8 ${index}`
    );
    return wasm`
      ${LEFT}; i32.const ${puts.length}; i32.lt_s; br_if $full
      ${stores}
      ${moveOn(["i32.const", puts.length])}
    `;
  }

  /**
   * Appends bytes of a space by whole words, whatever the size: a loop over a few bytes takes
   * longer.
   */
  copy({ space, start, stop, maxBytes }: Stmt & { do: "copy" }): WasmCode {
    const size = binary("-", stop, start);
    const from = this.#scope.local("$from");
    const bytes = this.#scope.local("$bytes");
    const words = (count: number): WasmCode =>
      Array.from({ length: count }, (_, word) =>
        wasm`
          local.get $at; local.get ${from}; v128.load ${16 * word}; v128.store ${16 * word}
        `);
    const most = Number(constantOf(size) ?? maxBytes ?? Infinity);
    const isShort = most <= COPIED_BYTES;
    return wasm`
      ${this.#placeOf(space, start)}; local.set ${from}
      ;; A negative size, of offsets that were not checked, does not fit either.
      ${this.#scope.code(size)}; local.tee ${bytes}; ${LEFT}; i32.gt_u; br_if $full
      ${words(isShort ? Math.ceil(most / 16) : COPIED_BYTES / 16)}
      ${isShort ? [] : this.#copyRest(from, bytes)}
      ${moveOn(["local.get", bytes])}
    `;
  }

  /** Copies the bytes after the first ones in place, since a call costs registers. */
  #copyRest(from: string, bytes: string): WasmCode {
    const to = this.#scope.local("$to");
    const end = this.#scope.local("$end");
    return wasm`
      local.get ${bytes}; i32.const ${COPIED_BYTES}; i32.gt_s; if $
        local.get $at; local.get ${bytes}; i32.add; local.set ${end}
        local.get $at; i32.const ${COPIED_BYTES}; i32.add; local.set ${to}
        loop $copy
          local.get ${from}; i32.const 16; i32.add; local.set ${from}
          local.get ${to}; local.get ${from}; v128.load ${COPIED_BYTES - 16}; v128.store 0
          local.get ${to}; i32.const 16; i32.add; local.tee ${to}
          local.get ${end}; i32.lt_s; br_if $copy
        end
      end
    `;
  }

  /** Appends bytes of a space several times. */
  repeat({ space, start, stop, count }: Stmt & { do: "repeat" }): WasmCode {
    const size = binary("-", stop, start);
    const from = this.#scope.local("$from");
    const bytes = this.#scope.local("$bytes");
    this.#scope.calls.add("repeat");
    const call = wasm`
      local.get $at; local.get ${from}; ${this.#scope.code(size)}
      local.get $at; local.get ${bytes}; i32.add; call repeat
    `;
    const isByte = constantOf(size) === 1;
    const tooLarge = isByte
      ? wasm`${this.#scope.code(count)}; ${LEFT}; i32.gt_s`
      : wasm`${this.#product(size, count)}; ${LEFT}; i64.extend_i32_s; i64.gt_s`;
    return wasm`
      block $repeat
        ${this.#scope.code(size)}; i32.const 0; i32.le_s; br_if $repeat
        ${this.#scope.code(count)}; i32.const 0; i32.le_s; br_if $repeat
        ;; What is too large for a row does not fit either.
        ${tooLarge}; br_if $full
        ${this.#placeOf(space, start)}; local.set ${from}
        ${this.#scope.code(binary("*", size, count))}; local.set ${bytes}
        ${isByte ? fillCode(from, bytes, this.#scope.local("$word", "v128"), call) : call}
        ${moveOn(["local.get", bytes])}
      end
    `;
  }

  #placeOf(space: Space, at: Scalar): WasmCode {
    return wasm`local.get ${spaceName(space)}; ${this.#scope.code(at)}; i32.add`;
  }

  /** Leaves a 64-bit product. */
  #product(left: Scalar, right: Scalar): WasmCode {
    return wasm`
      ${this.#scope.code(left)}; i64.extend_i32_s
      ${this.#scope.code(right)}; i64.extend_i32_s; i64.mul
    `;
  }

  /** Stops before the row if a repetition would make its text too large. */
  checkRepeat({ size, count }: Stmt & { do: "checkRepeat" }): WasmCode {
    return wasm`
      ${this.#product(size, count)}
      ;; Less the bytes of text that the row has so far.
      i32.const ${MAX_REPEATED_BYTES}; local.get $at; local.get $begin; i32.sub; i32.sub
      i64.extend_i32_s; i64.gt_s; br_if $full
    `;
  }
}

/** Leaves the number of bytes that still fit. */
const LEFT = wasm`local.get $limit; local.get $at; i32.sub`;

/** Moves the end of the text. */
function moveOn(by: WasmInstruction): WasmCode {
  return wasm`local.get $at; ${by}; i32.add; local.set $at`;
}

/** Writes a byte several times; for a few of them, always two words. */
function fillCode(from: string, bytes: string, word: string, otherwise: WasmCode): WasmCode {
  return wasm`
    local.get ${bytes}; i32.const ${FILLED_BYTES}; i32.le_s; if $
      local.get $at; local.get $at; local.get ${from}; i32.load8_u 0; i8x16.splat
      local.tee ${word}; v128.store 0; local.get ${word}; v128.store 16
    else
      ${otherwise}
    end
  `;
}
