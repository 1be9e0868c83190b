/**
 * Prints loops over the characters of a text as WebAssembly, 16 bytes at a time.
 *
 * A byte of UTF-8 begins a character unless it is from 0x80 to 0xbf, which are the signed numbers
 * below -64. So the code is the same for ASCII and other text.
 *
 * @module
 */

import { spaceName } from "../host/calling_convention.ts";
import { BYTES } from "./byte_set.ts";
import { wasm, type WasmCode } from "../../../wasm/instructions.ts";
import { PLACES, placesCode } from "./places.ts";
import type { WasmScope } from "./scalar.ts";
import type { Count, Walk } from "../../ir/ir.ts";
import { constantOf } from "../../ir/scalar.ts";

/** The greatest byte, as a signed number, that begins no character. */
const LAST_REST = -65;

/** Prints a loop that counts characters. */
export function countCode({ total, at, stop, column }: Count, scope: WasmScope): WasmCode {
  const place = scope.local("$place");
  const limit = scope.local("$last");
  const data = spaceName({ space: "column", column });
  const begun = placesCode((offset) =>
    wasm`
      local.get ${place}; v128.load ${offset}; local.get ${scope.splat(LAST_REST & 0xff)}
      i8x16.gt_s
    `
  );
  const isMore = wasm`
    local.get ${limit}; local.get ${place}; i32.sub; i32.const ${PLACES}; i32.ge_s
  `;
  return wasm`
    local.get ${data}; local.get ${at}; i32.add; local.set ${place}
    local.get ${data}; ${scope.code(stop)}; i32.add; local.set ${limit}
    ${isMore}; if $
      loop $count
        local.get ${total}; ${begun}; i32.popcnt; i32.add; local.set ${total}
        local.get ${place}; i32.const ${PLACES}; i32.add; local.set ${place}
        ${isMore}; br_if $count
      end
    end
    ;; Of the last ones, those before the end.
    local.get ${total}
    ${begun}; i32.const -1; local.get ${limit}; local.get ${place}; i32.sub; i32.shl
    i32.const -1; i32.xor; i32.and; i32.popcnt
    i32.add; local.set ${total}
    ${scope.code(stop)}; local.set ${at}
  `;
}

/** The most characters that a walk passes one by one, by their bits. */
const MAX_BITS = 8;

/** The lanes in reverse order. */
const REVERSED = Array.from({ length: 16 }, (_, lane) => 15 - lane);

/** Locals of a walk. */
interface WalkNames {
  readonly place: string;
  readonly limit: string;
  readonly mask: string;
}

/**
 * Prints a loop that moves forward or backward over characters. A backward one reads 16 bytes in
 * reverse order, so that both look for one of the first bytes that begin a character.
 */
export function walkCode(walk: Walk, scope: WasmScope): WasmCode {
  const { at, bound, backward, column, base } = walk;
  const [zero, place, limit, mask] = ["$zero", "$place", "$last", "$mask"]
    .map((local) => scope.local(local)) as [string, string, string, string];
  scope.local(BYTES, "v128");
  const data = spaceName({ space: "column", column });
  const before = backward ? "i32.gt_s" : "i32.lt_s";
  return wasm`
    local.get ${data}; ${scope.code(base)}; i32.add; local.tee ${zero}
    local.get ${at}; i32.add; local.set ${place}
    local.get ${zero}; ${scope.code(bound)}; i32.add; local.set ${limit}
    block $walked
      ${fewCode(walk, { place, limit, mask }, scope)}
      ${anyCode(walk, { place, limit, mask }, scope)}
    end
    local.get ${place}; local.get ${limit}
    local.get ${place}; local.get ${limit}; ${before}; select
    local.get ${zero}; i32.sub; local.set ${at}
  `;
}

/**
 * Leaves a bit for each of 16 bytes that begins a character, and keeps the test of each byte in
 * `BYTES`.
 */
function beginnings(place: string, backward: boolean, scope: WasmScope): WasmCode {
  const bytes = backward
    ? wasm`
      local.get ${place}; i32.const 16; i32.sub; v128.load 0; local.tee ${BYTES}
      local.get ${BYTES}; i8x16.shuffle ${REVERSED.join(" ")}
    `
    : wasm`local.get ${place}; v128.load 0`;
  return wasm`
    ${bytes}; local.get ${scope.splat(LAST_REST & 0xff)}; i8x16.gt_s; local.tee ${BYTES}
    i8x16.bitmask
  `;
}

/** Moves the place to the byte of some number among the 16, and ends the walk. */
function arrive(place: string, number: WasmCode, backward: boolean): WasmCode {
  return backward
    ? wasm`local.get ${place}; i32.const 1; i32.sub; ${number}; i32.sub; local.set ${place}; br $walked`
    : wasm`local.get ${place}; ${number}; i32.add; local.set ${place}; br $walked`;
}

/** Passes over a few characters within 16 bytes; other walks continue after this code. */
function fewCode(
  { count, backward }: Walk,
  { place, mask }: WalkNames,
  scope: WasmScope,
): WasmCode {
  const number = Math.abs(Number(constantOf(count) ?? Infinity));
  if (number > MAX_BITS) return [];
  const passed = Array.from(
    // Backward, the first beginning before a place belongs to the previous character.
    { length: backward ? number - 1 : number },
    () =>
      wasm`local.get ${mask}; local.get ${mask}; i32.const 1; i32.sub; i32.and; local.set ${mask}`,
  );
  const found = wasm`
    ${passed}
    local.get ${mask}; if $
      ${arrive(place, wasm`local.get ${mask}; i32.ctz`, backward)}
    end
  `;
  return wasm`
    ${beginnings(place, backward, scope)}; local.set ${mask}
    ${backward ? found : wasm`local.get ${mask}; i32.const 1; i32.and; if $; ${found}; end`}
  `;
}

/**
 * Passes over any number of characters. If 16 bytes have the beginning of the wanted one, its place
 * follows from the number of characters that begin up to each byte: sums of neighbours, in four
 * steps.
 */
function anyCode(
  { left, count: wanted, backward }: Walk,
  { place, limit }: WalkNames,
  scope: WasmScope,
): WasmCode {
  const count = scope.local("$count");
  const isSome = constantOf(wanted) !== undefined;
  // From here on, `left` is the number of beginnings to pass.
  const start = backward
    ? wasm`
      ${isSome ? [] : wasm`local.get ${left}; i32.eqz; br_if $walked`}
      local.get ${left}; i32.const -1; i32.xor; local.set ${left}
    `
    : toBeginning(left, { place, limit });
  return wasm`
    ${start}
    loop $words
      ${beginnings(place, backward, scope)}
      i32.popcnt; local.tee ${count}; local.get ${left}; i32.gt_s; if $
        ${sums(scope)}
        ;; The first byte with more beginnings than are to be passed; they count below 0.
        ${
    arrive(
      place,
      wasm`
        local.get ${BYTES}; local.get ${left}; i32.const -1; i32.xor; i8x16.splat
        i8x16.le_s; i8x16.bitmask; i32.ctz
      `,
      backward,
    )
  }
      end
      local.get ${left}; local.get ${count}; i32.sub; local.set ${left}
      local.get ${place}; i32.const 16; ${backward ? "i32.sub" : "i32.add"}; local.tee ${place}
      local.get ${limit}; ${backward ? "i32.gt_s" : "i32.lt_s"}; br_if $words
    end
  `;
}

/** Moves on to the beginning of a character; inside of one, each byte counts as one. */
function toBeginning(left: string, { place, limit }: Omit<WalkNames, "mask">): WasmCode {
  return wasm`
    block $begun
      loop $rest
        local.get ${place}; i32.load8_s 0; i32.const ${LAST_REST}; i32.gt_s; br_if $begun
        local.get ${place}; local.get ${limit}; i32.ge_s; br_if $walked
        local.get ${place}; i32.const 1; i32.add; local.set ${place}
        local.get ${left}; i32.const 1; i32.sub; local.tee ${left}; br_if $rest
      end
      br $walked
    end
  `;
}

/** Replaces each of 16 numbers by the sum of those up to it. */
function sums(scope: WasmScope): WasmCode {
  return [1, 2, 4, 8].map((by) => {
    // Zeros move in: indices from 16 on are those of the second operand.
    const moved = Array.from({ length: 16 }, (_, lane) => 16 - by + lane);
    return wasm`
      local.get ${BYTES}; local.get ${scope.splat(0)}; local.get ${BYTES}
      i8x16.shuffle ${moved.join(" ")}; i8x16.add; local.set ${BYTES}
    `;
  });
}
