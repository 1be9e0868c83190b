/**
 * The WebAssembly memory in which a map of characters runs. It has a table of characters, which
 * grows as texts bring new ones.
 *
 * @module
 */

import { emitAsciiMap } from "../../kernel/emit/wasm/ascii_map.ts";
import {
  emitCharacterMap,
  FIRST_PAGE,
  mapPlaces,
  NO_PAGE,
  NOT_ASKED,
  OPEN,
  type RunMap,
  SAME_PAGE,
} from "../../kernel/emit/wasm/character_map.ts";
import { wasmModule } from "../../kernel/emit/wasm/emit.ts";
import {
  asciiCharacters,
  type CharacterMap,
  MAX_CHARACTER_BYTES,
} from "../../kernel/lower/character_map.ts";
import { LruCache } from "../../../base/lru_cache.ts";
import { type Utf8Functions, utf8FunctionsIn, ZEROS_BEFORE } from "../../wasm/utf8_functions.ts";

const WASM_PAGE_BYTES = 1 << 16;
/** The bytes of an entry of the table. */
const ENTRY_BYTES = 16;
/** The place of the text. The check for UTF-8 overwrites the bytes before it. */
export const TEXT_AT: number = mapPlaces.input + ZEROS_BEFORE;
/** The pages of surrogates, which are no characters. */
const SURROGATES = [0xd800 >> 6, 0xe000 >> 6] as const;
const END_PAGE = 0x110000 >> 6;

/**
 * The memory in which a map runs: the text, the result, and a table of characters, to which each
 * character is added when a text first has it.
 */
export class MapMemory {
  /** Whether ASCII characters, the most frequent ones, can change their length. */
  readonly movesAscii: boolean;
  /** Maps the text in the memory, from `TEXT_AT` on. */
  readonly run: RunMap;
  readonly #bytesOf: CharacterMap["bytesOf"];
  readonly #memory: WebAssembly.Memory;
  /** All bytes of the memory. */
  bytes: Uint8Array;
  /** The same memory as words of 32 bits. */
  words: Int32Array;
  /** The bytes of result for a byte of text, so far. */
  growth = 1;
  #numPages = 0;
  #utf8: Utf8Functions | undefined;

  private constructor(bytesOf: CharacterMap["bytesOf"], ascii: Uint8Array, code: Uint8Array) {
    this.movesAscii = ascii.includes(0x80);
    this.#bytesOf = bytesOf;
    this.#memory = new WebAssembly.Memory({ initial: mapPlaces.pages / WASM_PAGE_BYTES + 1 });
    this.bytes = new Uint8Array(this.#memory.buffer);
    this.words = new Int32Array(this.#memory.buffer);
    const index = this.#index();
    index.fill(SAME_PAGE, ...SURROGATES);
    index.fill(SAME_PAGE, END_PAGE);
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(code as BufferSource), {
      host: { memory: this.#memory },
    });
    this.run = exports.run as RunMap;
  }

  /** Creates the memory of a map; null if the map is not simple enough for ASCII characters. */
  static of(map: CharacterMap): MapMemory | null {
    const ascii = asciiCharacters(map);
    const emit = map.keepsOthers ? emitAsciiMap : emitCharacterMap;
    const wasm = ascii && emit(ascii);
    if (ascii === null || wasm === null) return null;
    const memory = new MapMemory(map.bytesOf, ascii, wasmModule(wasm, false));
    for (let char = 0; char < 128; char++) memory.#learn(char);
    return memory;
  }

  /** Whether the text up to `end` is UTF-8; overwrites the bytes around it. */
  isUtf8(end: number): boolean {
    this.#utf8 ??= utf8FunctionsIn(this.#memory);
    return this.#utf8.isUtf8(TEXT_AT, end) !== 0;
  }

  /**
   * Adds the character at a place of the text to the table. Returns false if its result depends on
   * the characters next to it.
   */
  learn(at: number): boolean {
    return this.#learn(charAt(this.bytes, at));
  }

  #learn(char: number): boolean {
    const index = this.#index();
    const page = index[char >> 6] ?? NO_PAGE;
    const number = page === NO_PAGE ? index[char >> 6] = this.#addPage() : page;
    const entry = placeOf(number) + (char & 63) * ENTRY_BYTES;
    const size = entry + ENTRY_BYTES - 1;
    if (this.bytes[size] === NOT_ASKED) {
      const bytes = this.#bytesOf(char);
      const isKnown = bytes !== null && bytes.length <= MAX_CHARACTER_BYTES;
      if (isKnown) this.bytes.set(bytes, entry);
      this.bytes[size] = isKnown ? bytes.length : OPEN;
      // Two bytes, the first of which is not ASCII, are one character of two bytes.
      if (bytes?.length === 2 && bytes[0]! >= 0x80 && char >= 0x80 && char < 0x800) {
        this.bytes.set(bytes, mapPlaces.pairs + 2 * char);
      }
    }
    return this.bytes[size] !== OPEN;
  }

  #addPage(): number {
    const number = FIRST_PAGE + this.#numPages++;
    const place = placeOf(number);
    const stop = place + mapPlaces.pageBytes;
    if (stop > this.bytes.length) {
      this.#memory.grow(1);
      this.bytes = new Uint8Array(this.#memory.buffer);
      this.words = new Int32Array(this.#memory.buffer);
    }
    for (let size = place + ENTRY_BYTES - 1; size < stop; size += ENTRY_BYTES) {
      this.bytes[size] = NOT_ASKED;
    }
    return number;
  }

  #index(): Uint16Array {
    return new Uint16Array(this.#memory.buffer, mapPlaces.index, mapPlaces.indexEntries);
  }
}

/** The memories of recently used maps, by the keys of the maps: the next plan may need them. */
const memories = new LruCache<MapMemory | null>(16);

/** Returns the memory of a map, shared by plans with the same map; null if it has none. */
export function mapMemoryOf(map: CharacterMap): MapMemory | null {
  return memories.get(map.key, () => MapMemory.of(map));
}

/** Returns the code point of the complete character at a place. */
function charAt(bytes: Uint8Array, at: number): number {
  const [lead = 0, ...rest] = bytes.subarray(at, at + sizeByLead(bytes[at] ?? 0));
  const ownBits = [0x7f, 0x1f, 0x0f, 0x07][rest.length] ?? 0;
  return rest.reduce((char, byte) => char << 6 | byte & 0x3f, lead & ownBits);
}

/** Returns the bytes of a character by its first byte. */
export function sizeByLead(lead: number): number {
  return lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/** Returns the place of a page. */
function placeOf(page: number): number {
  return mapPlaces.pages + (page - FIRST_PAGE) * mapPlaces.pageBytes;
}
