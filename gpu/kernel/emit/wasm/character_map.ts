/**
 * Maps of characters as WebAssembly: a pass over the bytes of text, regardless of rows. It computes
 * 16 bytes at a time, up to the first character that needs a table.
 *
 * The table has two levels: pages of 64 characters, by their number, and in them 16 bytes for each
 * character: up to 15 bytes of its result, then their number.
 *
 * @module
 */

import type { WasmKernel } from "./emit.ts";
import { wasm, type WasmCode } from "../../../wasm/instructions.ts";
import { mapWords } from "./map_words.ts";
import type { WasmFunction } from "../../../wasm/module.ts";

/** The places in the memory of a map, in bytes. */
export const mapPlaces = {
  /**
   * The numbers of pages, of 16 bits, for each 64 characters, up to those that any four bytes
   * encode.
   */
  index: 0,
  indexEntries: 32_768,
  /** The text to map, with spare bytes after it. */
  input: 1 << 16,
  inputBytes: 1 << 16,
  /** The two bytes of the result of each character below 0x800; 0 if the result is in the pages. */
  pairs: (2 << 16) + 4096,
  /** The mapped text, with spare bytes after its end, as many as the text has. */
  output: 3 << 16,
  outputBytes: 2 << 16,
  /**
   * The places after which lengths differ, each with the shift from there on. The word before is
   * free.
   */
  events: 6 << 16,
  eventBytes: 1 << 16,
  /** The pages of the table; the first two are those of ASCII. */
  pages: 7 << 16,
  pageBytes: 1024,
} as const;

/**
 * The number of a page that does not exist yet, and that of pages whose characters stay unchanged.
 */
export const NO_PAGE = 0;
export const SAME_PAGE = 1;
/** The number of the first page that has a place. */
export const FIRST_PAGE = 2;

/** In place of the number of bytes: the result is not known yet. */
export const NOT_ASKED = 0x20;
/** In place of the number of bytes: the result depends on the neighbouring characters. */
export const OPEN = 0x40;

/** The reasons why a map stopped. */
export const mapStops = { end: 0, full: 1, ask: 2 } as const;

/**
 * The function `run` of a map.
 *
 * - `at`, `end`: the text, from the place of a character to after one
 * - `shift`: the distance of the result ahead of the text
 *
 * It returns the place where it stopped, the ends of the result and of the events, the shift, a
 * number that is 0 if all characters of the text were ASCII, one that is 0 if all of the result
 * are, and the reason why it stopped: a value of `mapStops`.
 */
export type RunMap = (at: number, end: number, shift: number) => [
  at: number,
  out: number,
  event: number,
  shift: number,
  seen: number,
  written: number,
  why: number,
];

/**
 * Prints a map as WebAssembly; returns null if 16 bytes have too many ranges. `ascii` has the
 * results of the 128 ASCII characters: one ASCII character, or 0x80 if the result is in the pages.
 */
export function emitCharacterMap(ascii: Uint8Array): WasmKernel | null {
  const words = mapWords(ascii);
  if (words === null) return null;
  const { mapped, stops } = words;
  // Bytes with the highest bit set stop it.
  const stopped = stops.map((stop) => wasm`${stop}; v128.or`);
  const { pages, pageBytes } = mapPlaces;
  const body = wasm`
    i32.const ${mapPlaces.output}; local.set out
    i32.const ${mapPlaces.events}; local.set event
    block stop
      loop next
        ${IS_FULL}; if full
          i32.const ${mapStops.full}; local.set why
          br stop
        end
        local.get at; v128.load 0; local.set bytes
        local.get out; local.get bytes; ${mapped}; v128.store 0
        local.get bytes; ${stopped}; i8x16.bitmask; local.set mask
        ${stops.length === 0 ? TO_NEXT_OTHER : TO_NEXT_STOP}
        loop character
          ${PAIRS}
          ${DECODE}
          block done
            local.get size; i32.eqz; if raw
              ;; A byte that is no part of a character stays as it is.
              local.get out; local.get lead; i32.store8 0
              local.get out; i32.const 1; i32.add; local.set out
              local.get at; i32.const 1; i32.add; local.set at
              v128.const ${ALL_BITS}; local.set written
              br done
            end
            local.get code; i32.const 6; i32.shr_u; i32.const 1; i32.shl
            i32.load16_u ${mapPlaces.index}; local.tee page
            i32.const ${SAME_PAGE}; i32.le_u; if unusual
              local.get page; i32.eqz; if missing
                i32.const ${mapStops.ask}; local.set why
                br stop
              end
              local.get out; local.get at; i32.load 0; i32.store 0
              local.get out; local.get size; i32.add; local.set out
              local.get at; local.get size; i32.add; local.set at
              v128.const ${ALL_BITS}; local.set written
              br done
            end
            local.get page; i32.const ${Math.log2(pageBytes)}; i32.shl
            local.get code; i32.const 63; i32.and; i32.const 4; i32.shl; i32.add; local.tee entry
            i32.load8_u ${pages - FIRST_PAGE * pageBytes + 15}; local.tee length
            i32.const ${NOT_ASKED}; i32.ge_u; if ask
              i32.const ${mapStops.ask}; local.set why
              br stop
            end
            local.get out; local.get entry; v128.load ${pages - FIRST_PAGE * pageBytes}
            local.tee bytes; v128.store 0
            local.get written; local.get bytes; v128.or; local.set written
            local.get out; local.get length; i32.add; local.set out
            local.get at; local.get size; i32.add; local.set at
            ${addEvent(wasm`local.get size`)}
          end
          local.get at; local.get end; i32.ge_u; br_if stop
          ${IS_FULL}; br_if next
          local.get at; i32.load8_u 0; i32.const 0x80; i32.ge_u; br_if character
        end
        br next
      end
    end
    ${BACK_TO_END}
    local.get at; local.get out; local.get event; local.get shift
    local.get seen; i32.const 0x80; i32.and; local.get written; i8x16.bitmask; local.get why
  `;
  const main: WasmFunction = {
    name: "run",
    parameters: ["at", "end", "shift"],
    results: ["i32", "i32", "i32", "i32", "i32", "i32", "i32"],
    locals: [
      ...NUMBERS.map((name) => [name, "i32"] as const),
      ...["bytes", "written", ...words.constants.keys()].map((name) => [name, "v128"] as const),
    ],
    body: wasm`${[...words.constants.values()]}; ${body}`,
    isExported: true,
  };
  return { functions: [main] };
}

/** The 32-bit locals. */
export const NUMBERS: readonly string[] = [
  ...["out", "event", "seen", "why", "mask", "first"],
  ...["lead", "rest", "code", "size", "page", "entry", "length"],
];

const ALL_BITS = Array.from({ length: 16 }, () => 255).join(" ");

/**
 * Maps characters of two bytes to two bytes. Zeros after the text end it. Continues at `next` if
 * ASCII follows.
 */
const PAIRS: WasmCode = wasm`
  local.get at; local.set first
  block other
    loop pairs
      local.get at; i32.load16_u 0; local.tee code
      i32.const 0xc0e0; i32.and; i32.const 0x80c0; i32.ne; br_if other
      local.get code; i32.const 0x1f; i32.and; i32.const 6; i32.shl
      local.get code; i32.const 8; i32.shr_u; i32.const 0x3f; i32.and; i32.or
      i32.const 1; i32.shl; i32.load16_u ${mapPlaces.pairs}; local.tee code; i32.eqz; br_if other
      local.get out; local.get code; i32.store16 0
      local.get out; i32.const 2; i32.add; local.set out
      local.get at; i32.const 2; i32.add; local.set at
      br pairs
    end
  end
  local.get at; local.get first; i32.ne; if some
    i32.const 0x80; local.set seen
    v128.const ${ALL_BITS}; local.set written
    local.get at; local.get end; i32.ge_u; br_if stop
    local.get at; i32.load8_u 0; i32.const 0x80; i32.lt_u; br_if next
  end
`;

/**
 * Adds the next byte to the character; leaves the block `decoded` if the byte continues no
 * character.
 */
function addByte(offset: number): WasmCode {
  return wasm`
    local.get at; i32.load8_u ${offset}; local.tee rest; i32.const 0xc0; i32.and
    i32.const 0x80; i32.ne; br_if decoded
    local.get code; i32.const 6; i32.shl; local.get rest; i32.const 0x3f; i32.and; i32.or
    local.set code
  `;
}

/** Sets the size if the lead says that the character has no more bytes. */
function endBelow(lead: number, size: number): WasmCode {
  return wasm`
    local.get lead; i32.const ${lead}; i32.lt_u; if last
      i32.const ${size}; local.set size
      br decoded
    end
  `;
}

/**
 * Reads the character at a place: its lead, its code point, and its size, which is 0 if it is none.
 */
const DECODE: WasmCode = wasm`
  i32.const 0; local.set size
  local.get at; i32.load8_u 0; local.tee lead; local.set code
  local.get seen; local.get lead; i32.or; local.set seen
  block decoded
    ${endBelow(0x80, 1)}
    local.get lead; i32.const 0xc2; i32.lt_u; br_if decoded
    local.get lead; i32.const 0x1f; i32.and; local.set code
    ${addByte(1)}
    ${endBelow(0xe0, 2)}
    ${addByte(2)}
    ${endBelow(0xf0, 3)}
    ${addByte(3)}
    local.get code; i32.const 0x1fffff; i32.and; local.set code
    ${endBelow(0xf8, 4)}
  end
`;

/** Goes back over the bytes that were too many. */
export const BACK_TO_END: WasmCode = wasm`
  local.get at; local.get end; i32.gt_u; if beyond
    local.get out; local.get at; local.get end; i32.sub; i32.sub; local.set out
    local.get end; local.set at
  end
`;

/** Leaves whether the result or the events may run out of memory. */
export const IS_FULL: WasmCode = wasm`
  local.get out; i32.const ${mapPlaces.output + mapPlaces.outputBytes}; i32.gt_u
  local.get event; i32.const ${mapPlaces.events + mapPlaces.eventBytes - 16}; i32.gt_u; i32.or
`;

/** Adds an event after a character of some bytes if its size has changed. */
function addEvent(size: WasmCode): WasmCode {
  return wasm`
    local.get event; local.get at; i32.store 0
    local.get event; local.get shift; local.get length; i32.add
    ${size}; i32.sub; local.tee shift; i32.store 4
    local.get event; local.get length; ${size}; i32.ne; i32.const 3; i32.shl; i32.add
    local.set event
  `;
}

/** Passes over 16 ASCII bytes, or over those before the first other byte. */
const TO_NEXT_OTHER: WasmCode = wasm`
  local.get mask; i32.eqz; if calm
    local.get out; i32.const 16; i32.add; local.set out
    local.get at; i32.const 16; i32.add; local.tee at
    local.get end; i32.lt_u; br_if next
    br stop
  end
  local.get mask; i32.ctz; local.tee mask
  local.get out; i32.add; local.set out
  local.get at; local.get mask; i32.add; local.tee at
  local.get end; i32.ge_u; br_if stop
`;

/**
 * Passes over the bytes before one that stops, at most 16, and over the character after them,
 * whether it stops or not: no processor can predict that, and a branch would cost more. Stays
 * before a character that is not ASCII.
 */
export const TO_NEXT_STOP: WasmCode = wasm`
  local.get mask; i32.const 0x10000; i32.or; i32.ctz; local.tee mask
  local.get out; i32.add; local.set out
  local.get at; local.get mask; i32.add; local.tee at
  local.get end; i32.ge_u; br_if stop
  local.get at; i32.load8_u 0; local.tee lead; i32.const 0x80; i32.lt_u; if plain
    local.get out
    local.get lead; i32.const 4; i32.shl; local.tee entry; v128.load ${mapPlaces.pages}
    local.tee bytes; v128.store 0
    local.get written; local.get bytes; v128.or; local.set written
    local.get entry; i32.load8_u ${mapPlaces.pages + 15}; local.set length
    local.get out; local.get length; i32.add; local.set out
    local.get at; i32.const 1; i32.add; local.set at
    ${addEvent(wasm`i32.const 1`)}
    local.get at; local.get end; i32.lt_u; br_if next
    br stop
  end
`;
