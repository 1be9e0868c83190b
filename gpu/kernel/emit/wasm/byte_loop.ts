/**
 * Prints loops over the bytes of a text as WebAssembly, 16 bytes at a time.
 *
 * @module
 */

import { spaceName } from "../host/calling_convention.ts";
import { BYTES } from "./byte_set.ts";
import { byteTestCode, byteValueCode } from "./bytes.ts";
import { wasm, type WasmCode } from "../../../wasm/instructions.ts";
import type { WasmScope } from "./scalar.ts";
import type { MapBytes, Match, Skip } from "../../ir/ir.ts";
import { isConstant } from "../../ir/scalar.ts";

/**
 * Prints a loop that passes over bytes; returns null if its test cannot be computed for 16 bytes at
 * a time.
 */
export function skipCode(skip: Skip, scope: WasmScope): WasmCode | null {
  const { at: name, bound, backward, column, base } = skip;
  const stops = byteTestCode(skip.stops, scope);
  if (stops === null) return null;
  scope.local(BYTES, "v128");
  const [zero, place, limit, mask] = ["$zero", "$place", "$last", "$mask"]
    .map((local) => scope.local(local)) as [string, string, string, string];
  const before = backward ? "i32.gt_s" : "i32.lt_s";
  const on = backward ? "i32.sub" : "i32.add";
  const data = spaceName({ space: "column", column });
  // Backward, the place is after the highest byte that stops the loop.
  const found = backward
    ? wasm`i32.const 16; local.get ${mask}; i32.clz; i32.sub`
    : wasm`local.get ${mask}; i32.ctz`;
  return wasm`
    local.get ${name}; ${scope.code(bound)}; ${before}; if $
      local.get ${data}; ${scope.code(base)}; i32.add; local.tee ${zero}
      local.get ${name}; i32.add; local.set ${place}
      local.get ${zero}; ${scope.code(bound)}; i32.add; local.set ${limit}
      block $found
        loop $look
          local.get ${place}; ${backward ? wasm`i32.const 16; i32.sub` : []}
          v128.load 0; local.set ${BYTES}
          ${stops}; i8x16.bitmask; local.tee ${mask}; if $
            local.get ${place}; ${found}; i32.add; local.set ${place}
            br $found
          end
          local.get ${place}; i32.const 16; ${on}; local.set ${place}
          local.get ${place}; local.get ${limit}; ${before}; br_if $look
        end
      end
      ;; Never beyond the bound.
      local.get ${place}; local.get ${limit}
      local.get ${place}; local.get ${limit}; ${before}; select
      local.get ${zero}; i32.sub; local.set ${name}
    end
  `;
}

/**
 * Prints a loop that maps bytes, 16 at a time, the last of which may be too many; returns null if
 * its values or its test cannot be computed with 8 bits.
 */
export function mapCode(
  { at: name, bound, column, stops, value }: MapBytes,
  scope: WasmScope,
): WasmCode | null {
  const mapped = byteValueCode(value, scope);
  const stopped = isConstant(stops, false) ? [] : byteTestCode(stops, scope);
  if (mapped === null || stopped === null) return null;
  scope.local(BYTES, "v128");
  const place = scope.local("$place");
  const limit = scope.local("$last");
  const data = spaceName({ space: "column", column });
  const on = (code: WasmCode) =>
    wasm`
      local.get $at; ${code}; i32.add; local.set $at
      local.get ${place}; ${code}; i32.add; local.set ${place}
    `;
  const mask = scope.local("$mask");
  const isBelow = wasm`local.get ${place}; local.get ${limit}; i32.lt_s`;
  // Whether the loop stops and whether bytes are left is one branch, which is rarely taken.
  const next = stopped.length === 0
    ? wasm`${on(wasm`i32.const 16`)}; ${isBelow}; br_if $map`
    : wasm`
    ;; The first byte that it stops at, or 16.
    ${stopped}; i8x16.bitmask; i32.const 65536; i32.or; i32.ctz; local.set ${mask}
    ${on(wasm`local.get ${mask}`)}
    local.get ${mask}; i32.const 4; i32.shr_u; ${isBelow}; i32.and; br_if $map
  `;
  return wasm`
    local.get ${data}; local.get ${name}; i32.add; local.set ${place}
    local.get ${data}; ${scope.code(bound)}; i32.add; local.set ${limit}
    local.get ${place}; local.get ${limit}; i32.lt_s; if $
      ;; Room for all of them.
      local.get $limit; local.get $at; i32.sub
      local.get ${limit}; local.get ${place}; i32.sub; i32.lt_s; br_if $full
      loop $map
        local.get ${place}; v128.load 0; local.set ${BYTES}
        local.get $at; ${mapped}; v128.store 0
        ${next}
      end
      ;; Back over those that were too many.
      local.get ${place}; local.get ${limit}; i32.sub; local.tee ${mask}
      i32.const 0; local.get ${mask}; i32.const 0; i32.gt_s; select; local.set ${mask}
      local.get $at; local.get ${mask}; i32.sub; local.set $at
      local.get ${place}; local.get ${mask}; i32.sub; local.get ${data}; i32.sub
      local.set ${name}
    end
  `;
}

/**
 * Prints a loop that compares two texts. It compares the last bytes without a branch: the bytes
 * after them may be anything.
 */
export function matchCode({ offset, size, left, right }: Match, scope: WasmScope): WasmCode {
  const [one, other, differ, rest] = ["$one", "$other", "$mask", "$rest"]
    .map((local) => scope.local(local)) as [string, string, string, string];
  const placeOf = ({ space, start }: Match["left"]) =>
    wasm`local.get ${spaceName(space)}; ${scope.code(start)}; i32.add`;
  const word = (place: string) =>
    wasm`local.get ${place}; local.get ${offset}; i32.add; v128.load 0`;
  return wasm`
    ${placeOf(left)}; local.set ${one}
    ${placeOf(right)}; local.set ${other}
    block $differ
      loop $match
        ${word(one)}; ${word(other)}; i8x16.ne; i8x16.bitmask; local.set ${differ}
        ${scope.code(size)}; local.get ${offset}; i32.sub; local.tee ${rest}
        i32.const 16; i32.lt_s; br_if $differ
        local.get ${differ}; br_if $differ
        local.get ${offset}; i32.const 16; i32.add; local.set ${offset}
        br $match
      end
    end
    local.get ${offset}
    local.get ${differ}; i32.const 1
    local.get ${rest}; i32.const 16; local.get ${rest}; i32.const 16; i32.lt_s; select
    i32.shl; i32.or; i32.ctz; i32.add; local.set ${offset}
  `;
}
