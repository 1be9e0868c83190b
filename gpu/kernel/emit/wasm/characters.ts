/**
 * Loops over the characters of a text with WebAssembly: 16 bytes at once.
 *
 * A byte of UTF-8 begins a character unless it is one from 0x80 to 0xbf, which as numbers with a sign
 * are those below -64. So it does not matter whether text is ASCII.
 *
 * @module
 */

import { spaceName } from "../host/calling_convention.ts";
import { BYTES } from "./bytes.ts";
import { wasm, type WasmCode } from "./instructions.ts";
import type { WasmScope } from "./scalar.ts";
import type { Count, Walk } from "../../ir/ir.ts";

/** The last byte, as a number with a sign, that begins no character. */
const LAST_REST = -65;

/** The code of a loop that counts characters. */
export function countCode({ total, at, stop, column }: Count, scope: WasmScope): WasmCode {
  const place = scope.local("$place");
  const limit = scope.local("$last");
  const data = spaceName({ space: "column", column });
  const begun = wasm`
    local.get ${place}; v128.load 0; local.get ${scope.splat(LAST_REST & 0xff)}; i8x16.gt_s
    i8x16.bitmask
  `;
  return wasm`
    local.get ${data}; local.get ${at}; i32.add; local.set ${place}
    local.get ${data}; ${scope.code(stop)}; i32.add; local.set ${limit}
    block $counted
      loop $count
        local.get ${limit}; local.get ${place}; i32.sub; i32.const 16; i32.le_s; br_if $counted
        local.get ${total}; ${begun}; i32.popcnt; i32.add; local.set ${total}
        local.get ${place}; i32.const 16; i32.add; local.set ${place}
        br $count
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

/**
 * The code of a loop that moves on over characters. Where 16 bytes hold the beginning of the wanted
 * one, its place is found from how many characters begin up to each byte, which are sums of
 * neighbours, in four steps.
 */
export function walkCode(walk: Walk, scope: WasmScope): WasmCode {
  const { at, left, bound, column, base } = walk;
  const [zero, place, limit, count] = ["$zero", "$place", "$last", "$count"]
    .map((local) => scope.local(local)) as [string, string, string, string];
  scope.local(BYTES, "v128");
  const data = spaceName({ space: "column", column });
  return wasm`
    local.get ${data}; ${scope.code(base)}; i32.add; local.tee ${zero}
    local.get ${at}; i32.add; local.set ${place}
    local.get ${zero}; ${scope.code(bound)}; i32.add; local.set ${limit}
    block $walked
      ;; Inside of a character, each byte counts as one.
      block $begun
        loop $rest
          local.get ${place}; i32.load8_s 0; i32.const ${LAST_REST}; i32.gt_s; br_if $begun
          local.get ${place}; local.get ${limit}; i32.ge_s; br_if $walked
          local.get ${place}; i32.const 1; i32.add; local.set ${place}
          local.get ${left}; i32.const 1; i32.sub; local.tee ${left}; br_if $rest
        end
        br $walked
      end
      loop $words
        local.get ${place}; v128.load 0
        local.get ${scope.splat(LAST_REST & 0xff)}; i8x16.gt_s; local.tee ${BYTES}
        i8x16.bitmask; i32.popcnt; local.tee ${count}; local.get ${left}; i32.gt_s; if $
          ${sums(scope)}
          ;; The first byte with more beginnings than are to be passed; they count below 0.
          local.get ${place}
          local.get ${BYTES}; local.get ${left}; i32.const -1; i32.xor; i8x16.splat
          i8x16.le_s; i8x16.bitmask; i32.ctz; i32.add; local.set ${place}
          br $walked
        end
        local.get ${left}; local.get ${count}; i32.sub; local.set ${left}
        local.get ${place}; i32.const 16; i32.add; local.tee ${place}
        local.get ${limit}; i32.lt_s; br_if $words
      end
    end
    local.get ${place}; local.get ${limit}
    local.get ${place}; local.get ${limit}; i32.lt_s; select
    local.get ${zero}; i32.sub; local.set ${at}
  `;
}

/** Makes each of 16 numbers the sum of those up to it. */
function sums(scope: WasmScope): WasmCode {
  return [1, 2, 4, 8].map((by) => {
    // Zeros move in: numbers from 16 on are of the second operand.
    const moved = Array.from({ length: 16 }, (_, lane) => 16 - by + lane);
    return wasm`
      local.get ${BYTES}; local.get ${scope.splat(0)}; local.get ${BYTES}
      i8x16.shuffle ${moved.join(" ")}; i8x16.add; local.set ${BYTES}
    `;
  });
}
