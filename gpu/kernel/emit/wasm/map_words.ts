/**
 * Maps the characters of 16 bytes at a time.
 *
 * @module
 */

import { type MapRange, runsOf } from "../../ir/map_ranges.ts";
import { wasm, type WasmCode } from "../../../wasm/instructions.ts";

/** The most ranges for which 16 bytes are computed at a time. */
const MAX_RANGES = 8;

/** The code that maps 16 bytes in the local `bytes`. */
export interface MapWords {
  /** The code that follows `bytes` and leaves the bytes of the result. */
  readonly mapped: WasmCode;
  /**
   * For each range of ASCII characters that are in the pages, the code that leaves which bytes are
   * in it.
   */
  readonly stops: readonly WasmCode[];
  /** The code that sets the locals with one byte 16 times. */
  readonly constants: ReadonlyMap<string, WasmCode>;
}

/**
 * Returns the code that maps 16 bytes; null if they have too many ranges. `ascii` has the result
 * for each of the 128 ASCII characters: an ASCII character, or 0x80 where the pages have it.
 */
export function mapWords(ascii: Uint8Array): MapWords | null {
  // The number to add to the bytes of a range; null if they are in the pages.
  const ranges = runsOf(ascii, (byte, char) => byte === 0x80 ? null : byte - char);
  if (ranges.length > MAX_RANGES) return null;
  const constants = new Map<string, WasmCode>();
  const splat = (byte: number) => {
    const name = `byte${byte & 0xff}`;
    const bytes = Array.from({ length: 16 }, () => byte & 0xff);
    constants.set(name, wasm`v128.const ${bytes.join(" ")}; local.set ${name}`);
    return name;
  };
  const isInside = ({ first, last }: MapRange<unknown>) =>
    wasm`
      local.get bytes; local.get ${splat(first)}; i8x16.sub
      local.get ${splat(last - first + 1)}; i8x16.lt_u
    `;
  const mapped = ranges.flatMap((range) =>
    range.by === null
      ? []
      : [wasm`${isInside(range)}; local.get ${splat(range.by)}; v128.and; i8x16.add`]
  );
  const stops = ranges.flatMap((range) => range.by === null ? [isInside(range)] : []);
  return { mapped, stops, constants };
}
