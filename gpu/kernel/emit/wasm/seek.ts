/**
 * Searches in text with WebAssembly: tests 32 places at a time for the first two bytes of the
 * needle and for its last one. The few places that pass are compared in full. (The idea of the
 * first and the last byte: W. Muła, SIMD-friendly algorithms for substring searching, 2016.)
 *
 * If a row is false unless a text is found in it, the text of all rows is searched in one go, and
 * only rows with a hit are computed: rows are short, and work for each row takes longer than the
 * search.
 *
 * @module
 */

import { spaceName } from "../host/calling_convention.ts";
import { bitsCode, fewOfLate, passBits, RESULT_BITS } from "./result.ts";
import { nextStart, offsetCode, type WasmScope } from "./scalar.ts";
import type { KnownSeek, Seek } from "../../ir/ir.ts";

import { wasm, type WasmCode } from "../../../wasm/instructions.ts";
import { needlePlaces, PLACES, placesCode } from "./places.ts";

/** A search with a known needle, in either direction. */
type AnySeek = Seek & { readonly bytes: Uint8Array };

/** The most bytes of a needle for this; longer ones are compared byte by byte. */
const MAX_NEEDLE = 64;
/**
 * The same for backward searches. The JavaScript of longer ones does not contain their bytes, and
 * kernels with the same JavaScript may share a module.
 */
const MAX_NEEDLE_BACK = 8;

/** The most bytes of a needle that are all sampled. */
const MAX_SAMPLED = 3;

/** Locals of a search. */
interface SeekNames {
  readonly place: string;
  readonly last: string;
  readonly mask: string;
  readonly candidate: string;
}

/** Whether a search can be done by words. */
export function canSeek<S extends Seek>(seek: S): seek is S & AnySeek {
  const most = seek.backward ? MAX_NEEDLE_BACK : MAX_NEEDLE;
  return seek.bytes !== null && seek.bytes.length <= most;
}

/**
 * Returns the code of a search, which moves the local `at`; `last` is the code of the last place.
 */
export function seekCode(
  { at, column, bytes, backward }: AnySeek,
  last: WasmCode,
  scope: WasmScope,
): WasmCode {
  const names = {
    place: scope.local("$place"),
    last: scope.local("$last"),
    mask: scope.local("$mask"),
    candidate: scope.local("$candidate"),
  };
  const data = spaceName({ space: "column", column });
  const search = backward ? backSeek : bytes.length <= MAX_SAMPLED ? shortSeek : longSeek;
  return wasm`
    local.get ${data}; local.get ${at}; i32.add; local.set ${names.place}
    local.get ${data}; ${last}; i32.add; local.set ${names.last}
    ${search(bytes, names, scope)}
    local.get ${names.place}; local.get ${data}; i32.sub; local.set ${at}
  `;
}

/**
 * Finds a needle whose bytes are all compared together. It searches the last places without a
 * branch: in rows of a few words, no processor can predict which of them have the needle.
 */
function shortSeek(
  bytes: Uint8Array,
  { place, last, mask }: SeekNames,
  scope: WasmScope,
): WasmCode {
  const look = wasm`${needlePlaces(bytes, place, scope)}; local.set ${mask}`;
  const step = PLACES - bytes.length + 1;
  const isMore = wasm`local.get ${last}; local.get ${place}; i32.sub; i32.const ${step}; i32.ge_s`;
  return wasm`
    ${look}
    ${isMore}; if $found
      loop $look
        local.get ${mask}; br_if $found
        local.get ${place}; i32.const ${step}; i32.add; local.set ${place}
        ${look}
        ${isMore}; br_if $look
      end
    end
    ;; Where it is not found, 32 places on: beyond the last one.
    local.get ${place}; local.get ${mask}; i32.ctz; i32.add; local.set ${place}
  `;
}

/** Finds the last place of a needle: 32 places at a time, the last of which is the current one. */
function backSeek(
  bytes: Uint8Array,
  { place, last, mask, candidate }: SeekNames,
  scope: WasmScope,
): WasmCode {
  // One before the places if no bit is set, since `clz` is 32 then.
  const highest = wasm`
    local.get ${place}; i32.const 31; local.get ${mask}; i32.clz; i32.sub; i32.add
  `;
  const compare = wasm`
    loop $each
      ${highest}; local.set ${candidate}
      local.get ${mask}; i32.eqz; br_if $compared
      ${equalCode(bytes, candidate)}; br_if $found
      local.get ${mask}; i32.const 1; local.get ${candidate}; local.get ${place}; i32.sub
      i32.shl; i32.xor; local.set ${mask}
      br $each
    end
  `;
  return wasm`
    local.get ${place}; i32.const 31; i32.sub; local.set ${place}
    block $found
      loop $look
        ${sampledCode(bytes, place, scope)}; local.set ${mask}
        block $compared
          ${bytes.length <= MAX_SAMPLED ? wasm`${highest}; local.set ${candidate}` : compare}
        end
        local.get ${place}; local.get ${last}; i32.le_s; br_if $found
        local.get ${candidate}; local.get ${place}; i32.ge_s; br_if $found
        local.get ${place}; i32.const 32; i32.sub; local.set ${place}
        br $look
      end
    end
    local.get ${candidate}; local.set ${place}
  `;
}

/** Finds a needle, of which it compares only some bytes at first. */
function longSeek(bytes: Uint8Array, names: SeekNames, scope: WasmScope): WasmCode {
  const { place, last, mask } = names;
  const beyond = wasm`local.get ${last}; i32.gt_s; br_if $none`;
  return wasm`
    block $found
      block $none
        loop $look
          local.get ${place}; ${beyond}
          ${sampledCode(bytes, place, scope)}; local.tee ${mask}; if $
            ${candidatesCode(bytes, names, beyond)}
          end
          local.get ${place}; i32.const 32; i32.add; local.set ${place}
          br $look
        end
      end
      local.get ${last}; i32.const 1; i32.add; local.set ${place}
    end
  `;
}

/** Returns the indices of the bytes of a needle that are compared at 32 places at a time. */
function sampled({ length }: Uint8Array): number[] {
  return [...new Set([0, Math.min(1, length - 1), length - 1])];
}

/** Leaves a bit for each of 32 places at which the sampled bytes match. */
function sampledCode(bytes: Uint8Array, place: string, scope: WasmScope): WasmCode {
  return placesCode((offset) =>
    sampled(bytes).map((index, number) =>
      wasm`
        local.get ${place}; v128.load ${offset + index}; local.get ${scope.splat(bytes[index]!)}
        i8x16.eq; ${number > 0 ? [["v128.and"]] : []}
      `
    )
  );
}

/** Compares the whole needle at each place that passed. */
function candidatesCode(
  bytes: Uint8Array,
  { place, mask, candidate }: SeekNames,
  beyond: WasmCode,
): WasmCode {
  return wasm`
    loop $each
      local.get ${place}; local.get ${mask}; i32.ctz; i32.add; local.tee ${candidate}; ${beyond}
      ${equalCode(bytes, candidate)}; if $
        local.get ${candidate}; local.set ${place}
        br $found
      end
      ;; Without its lowest bit.
      local.get ${mask}; local.get ${mask}; i32.const 1; i32.sub; i32.and; local.tee ${mask}
      br_if $each
    end
  `;
}

/** Leaves whether a needle is at a place: words of 16 bytes, the last of which may overlap. */
function equalCode(bytes: Uint8Array, place: string): WasmCode {
  const { length } = bytes;
  const starts = length <= 16
    ? [0]
    : [...Array.from({ length: Math.ceil(length / 16) - 1 }, (_, word) => 16 * word), length - 16];
  return starts.map((start, number) => {
    const word = Array.from({ length: 16 }, (_, i) => bytes[start + i] ?? 0);
    const behind = word.map((_, i) => start + i < length ? 0 : 0xff);
    return wasm`
      local.get ${place}; v128.load ${start}; v128.const ${word.join(" ")}; i8x16.eq
      ${length < 16 ? wasm`v128.const ${behind.join(" ")}; v128.or` : []}
      i8x16.all_true
      ${number > 0 ? [["i32.and"]] : []}
    `;
  });
}

/** The code that skips rows. */
export interface PassCode {
  /** The code before all rows. */
  readonly first: WasmCode;
  /**
   * The code before each row, whose start is still in the local of the previous stop. It moves
   * `$row` to the next row in which the needle begins, or leaves the block `$full` after the last
   * row. It does nothing while several of the latest rows were true, where it would only cost time.
   */
  readonly each: WasmCode;
}

/** Returns the code that skips the rows in which a search finds nothing. */
export function passCode(seek: KnownSeek, scope: WasmScope): PassCode {
  const { column, bytes } = seek;
  const textStop = scope.local("$textStop");
  const at = scope.local("$passed");
  const stop = nextStart(column);
  const bits = bitsCode(RESULT_BITS, scope);
  const from = scope.local("$passedFrom");
  const passed = passBits(wasm`local.get $row; local.get ${from}; i32.sub`, scope);
  const last = wasm`local.get ${textStop}; i32.const ${-bytes.length}; i32.add`;
  const first = wasm`${offsetCode(column, "$rows")}; local.set ${textStop}`;
  const each = wasm`
    ${fewOfLate(scope)}; if $
      ${bits.last}
      local.get $row; local.set ${from}
      local.get ${stop}; local.set ${at}
      ${seekCode({ ...seek, at }, last, scope)}
      local.get ${at}; ${last}; i32.gt_s; if $
        local.get $rows; local.set $row
        ${passed}
        br $full
      end
      loop $pass
        ${offsetCode(column, "$row", 1)}; local.get ${at}; i32.le_s; if $
          local.get $row; i32.const 1; i32.add; local.set $row
          br $pass
        end
      end
      ${offsetCode(column, "$row")}; local.set ${stop}
      ${passed}
    end
  `;
  return { first, each };
}
