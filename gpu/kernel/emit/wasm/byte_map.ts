/** @module */

import type { WasmKernel } from "./emit.ts";
import { rangesOf } from "../../ir/map_ranges.ts";
import { wasm } from "./instructions.ts";
import type { WasmFunction } from "./module.ts";

/** Ranges up to which 16 bytes are computed at once. */
const MAX_RANGES = 8;

/**
 * A map of bytes below 0x80 as WebAssembly, or null where it has too many ranges: the function `map`,
 * which takes where some bytes lie and how many, replaces them in their place, up to 15 more, and
 * gives whether all of them were below 0x80.
 */
export function emitWasmByteMap(map: Uint8Array): WasmKernel | null {
  const ranges = rangesOf(map);
  if (ranges.length > MAX_RANGES) return null;
  const splats = [
    ...new Set(ranges.flatMap(({ first, last, by }) => [first, last - first + 1, by])),
  ];
  const nameOf = (byte: number) => `byte${byte & 0xff}`;
  const names = [...new Set(splats.map(nameOf))];
  const mapped = ranges.map(({ first, last, by }) =>
    wasm`
      local.get bytes; local.get ${nameOf(first)}; i8x16.sub
      local.get ${nameOf(last - first + 1)}; i8x16.lt_u
      local.get ${nameOf(by)}; v128.and; i8x16.add
    `
  );
  const constants = names.map((name) => {
    const bytes = Array.from({ length: 16 }, () => name.slice("byte".length));
    return wasm`v128.const ${bytes.join(" ")}; local.set ${name}`;
  });
  const main: WasmFunction = {
    name: "map",
    parameters: ["at", "size"],
    results: ["i32"],
    locals: [
      ["end", "i32"],
      ["seen", "v128"],
      ["bytes", "v128"],
      ...names.map((name) => [name, "v128"] as const),
    ],
    isExported: true,
    body: wasm`
      ${constants}
      local.get at; local.get size; i32.add; local.set end
      block done
        loop words
          local.get at; local.get end; i32.ge_u; br_if done
          local.get seen; local.get at; v128.load 0; local.tee bytes; v128.or; local.set seen
          local.get at; local.get bytes; ${mapped}; v128.store 0
          local.get at; i32.const 16; i32.add; local.set at
          br words
        end
      end
      local.get seen; i8x16.bitmask; i32.eqz
    `,
  };
  return { functions: [main] };
}
