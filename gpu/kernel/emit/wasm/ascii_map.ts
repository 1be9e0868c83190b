/**
 * Maps of characters that leave all but ASCII characters unchanged: a pass over bytes that ignores
 * the other characters. Memory and parameters are those of `character_map.ts`.
 *
 * @module
 */

import {
  BACK_TO_END,
  IS_FULL,
  mapPlaces,
  mapStops,
  NUMBERS,
  TO_NEXT_STOP,
} from "./character_map.ts";
import type { WasmKernel } from "./emit.ts";
import { wasm, type WasmCode } from "../../../wasm/instructions.ts";
import { mapWords } from "./map_words.ts";
import type { WasmFunction } from "../../../wasm/module.ts";

/**
 * Prints a map as WebAssembly, a `RunMap` under the name `run`; null if 16 bytes have too many
 * ranges. `ascii` has the results of the 128 ASCII characters: one ASCII character, or 0x80 if the
 * result is in the pages.
 */
export function emitAsciiMap(ascii: Uint8Array): WasmKernel | null {
  const words = mapWords(ascii);
  if (words === null) return null;
  const { mapped, stops } = words;
  const mapAt = (offset: number) =>
    wasm`
      local.get at; v128.load ${offset}; local.tee bytes; local.get all; v128.or; local.set all
      local.get out; local.get bytes; ${mapped}; v128.store ${offset}
    `;
  const stopped = stops.map((stop, index) => [stop, index > 0 ? [["v128.or"] as const] : []]);
  const pass = stops.length === 0 ? wasm`${passWords(4, mapAt)}; ${passWords(1, mapAt)}` : wasm`
      loop next
        ${IS_FULL}; if full
          i32.const ${mapStops.full}; local.set why
          br stop
        end
        ${mapAt(0)}
        ${stopped}; i8x16.bitmask; local.set mask
        ${TO_NEXT_STOP}
        br next
      end
    `;
  const main: WasmFunction = {
    name: "run",
    parameters: ["at", "end", "shift"],
    results: ["i32", "i32", "i32", "i32", "i32", "i32", "i32"],
    locals: [
      ...NUMBERS.map((name) => [name, "i32"] as const),
      ...["bytes", "written", "all", ...words.constants.keys()].map((name) =>
        [name, "v128"] as const
      ),
    ],
    body: wasm`
      ${[...words.constants.values()]}
      i32.const ${mapPlaces.output}; local.set out
      i32.const ${mapPlaces.events}; local.set event
      block stop
        ${pass}
      end
      ${BACK_TO_END}
      local.get at; local.get out; local.get event; local.get shift
      local.get all; i8x16.bitmask
      local.get all; local.get written; v128.or; i8x16.bitmask; local.get why
    `,
    isExported: true,
  };
  return { functions: [main] };
}

/**
 * Maps `count` words of 16 bytes a round. A single word may have bytes after the end, which are 0.
 */
function passWords(count: number, mapAt: (offset: number) => WasmCode): WasmCode {
  const isMore = wasm`
    local.get end; local.get at; i32.sub; i32.const ${count === 1 ? 1 : 16 * count}; i32.ge_s
  `;
  return wasm`
    ${isMore}; if $
      loop words
        ${Array.from({ length: count }, (_, word) => mapAt(16 * word))}
        local.get out; i32.const ${16 * count}; i32.add; local.set out
        local.get at; i32.const ${16 * count}; i32.add; local.set at
        ${isMore}; br_if words
      end
    end
  `;
}
