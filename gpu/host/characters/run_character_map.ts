/**
 * Runs a map of characters over the text of a whole column.
 *
 * @module
 */

import { upperBound } from "../../../base/search.ts";
import type { HostColumn } from "../../column/column.ts";
import { startWithCharacters } from "../../column/utf8_blocks.ts";
import { mapPlaces, mapStops } from "../../kernel/emit/wasm/character_map.ts";
import { growArray, roomFor, withoutSlack } from "../runtime/grow_array.ts";
import { type MapMemory, sizeByLead, TEXT_AT } from "./map_memory.ts";

/** The bytes before the text of the first row from which the result gets its own offsets. */
const MAX_UNUSED_BYTES = 4096;
/** The number of rows whose offsets are moved together. */
const DOZEN = 12;
/** The bytes after the text that must not look like parts of a character. */
const CLEAR_BYTES = 16;

/** The result of a map over the text of a column. */
interface MappedText {
  readonly column: HostColumn;
  /** Whether all of the text, and all of the result, is ASCII. */
  readonly wasAscii: boolean;
  readonly isAscii: boolean;
  /** Whether each row is known to be UTF-8; the bytes below nulls are not checked. */
  readonly isUtf8: boolean;
  /** The rows, in order, with unmapped characters that only the row kernel can map. */
  readonly openRows: Int32Array;
}

/**
 * Maps the characters of a column; with `isUnknown`, also checks its text. Returns null if the
 * result is longer than 32-bit offsets can address. The text may be any bytes: those that are no
 * characters stay as they are. The result shares the validity, and the offsets if all lengths are
 * the same.
 */
export function runCharacterMap(
  memory: MapMemory,
  column: HostColumn,
  isUnknown: boolean,
): MappedText | null {
  const run = new MapRun(memory, column, isUnknown);
  return run.run() ? run.finish() : null;
}

class MapRun {
  readonly #memory: MapMemory;
  readonly #column: HostColumn;
  readonly #offsets: Int32Array;
  /** The range of the text of all rows. */
  readonly #start: number;
  readonly #stop: number;
  /** The offsets of the result; null while those of the column still apply. */
  #moved: Int32Array | null = null;
  /** The next row whose offset has to be moved. */
  #row = 0;
  #result: Uint8Array;
  #size: number;
  /** The difference between the offsets of the result and those of the column. */
  #shift: number;
  #seen = 0;
  #written = 0;
  /** Whether the text so far is UTF-8; false if it is not checked. */
  #isUtf8: boolean;
  readonly #openRows: number[] = [];

  constructor(memory: MapMemory, column: HostColumn, isUnknown: boolean) {
    this.#isUtf8 = isUnknown;
    this.#memory = memory;
    this.#column = column;
    this.#offsets = column.offsets as Int32Array;
    this.#start = this.#offsets[0] ?? 0;
    this.#stop = this.#offsets[column.length] ?? this.#start;
    // Keeps the bytes before the text, if there are few, so that the result can share the offsets.
    this.#size = this.#start <= MAX_UNUSED_BYTES ? this.#start : 0;
    this.#shift = this.#size - this.#start;
    const textBytes = this.#stop - this.#start;
    this.#result = new Uint8Array(roomFor(this.#size + textBytes * memory.growth));
  }

  /** Maps all of the text; returns false if the result is too long. */
  run(): boolean {
    const { data } = this.#column;
    for (let at = this.#start; at < this.#stop;) {
      const limit = at + mapPlaces.inputBytes;
      const stop = limit < this.#stop ? endOfCharacter(data, limit) : this.#stop;
      const { bytes } = this.#memory;
      const end = TEXT_AT + stop - at;
      bytes.set(data.subarray(at, stop), TEXT_AT);
      bytes.fill(0, end, end + CLEAR_BYTES);
      if (!this.#runPart(end, at - TEXT_AT)) return false;
      at = stop;
    }
    return true;
  }

  /**
   * Maps the text in the memory up to `end`. A place in the memory is `origin` less than in the
   * column.
   */
  #runPart(end: number, origin: number): boolean {
    const memory = this.#memory;
    let seenHere = 0;
    for (let at = TEXT_AT; at < end;) {
      const [next, out, event, shift, seen, written, why] = memory.run(at, end, this.#shift);
      if (!this.#append(memory.bytes.subarray(mapPlaces.output, out))) return false;
      if (event > mapPlaces.events) this.#moveOffsets(event, origin);
      this.#shift = shift;
      seenHere |= seen;
      this.#written |= written;
      at = next;
      if (why === mapStops.ask && !memory.learn(at)) {
        const behind = at + sizeByLead(memory.bytes[at] ?? 0);
        this.#openRows.push(upperBound(this.#offsets, origin + at) - 1);
        this.#written = 1;
        if (!this.#append(memory.bytes.subarray(at, behind))) return false;
        at = behind;
      }
    }
    this.#seen |= seenHere;
    if (seenHere !== 0) this.#isUtf8 &&= memory.isUtf8(end);
    return true;
  }

  #append(bytes: Uint8Array): boolean {
    const size = this.#size + bytes.length;
    if (size > this.#result.length) {
      const result = growArray(this.#result, this.#size, size);
      if (result === null) return false;
      this.#result = result;
    }
    this.#result.set(bytes, this.#size);
    this.#size = size;
    return true;
  }

  /** Moves the offsets up to the last place where lengths differ. */
  #moveOffsets(event: number, origin: number): void {
    const moved = this.#moved ??= new Int32Array(this.#column.length + 1);
    const { words } = this.#memory;
    const [start, stop] = [mapPlaces.events >> 2, event >> 2];
    words[start - 1] = this.#shift;
    this.#row = moveOffsets(this.#offsets, moved, this.#row, words, [start, stop], origin);
  }

  finish(): MappedText {
    const wasAscii = this.#seen === 0;
    const textBytes = this.#stop - this.#start;
    const isMuch = textBytes >= mapPlaces.inputBytes;
    if (isMuch) this.#memory.growth = this.#moved === null ? 1 : this.#size / textBytes * 1.05;
    return {
      column: {
        ...this.#column,
        data: withoutSlack(this.#result, this.#size),
        offsets: this.#resultOffsets(),
      },
      wasAscii,
      isAscii: this.#written === 0,
      isUtf8: this.#isUtf8 && startWithCharacters(this.#column),
      openRows: Int32Array.from(new Set(this.#openRows)),
    };
  }

  #resultOffsets(): Int32Array {
    const shift = this.#shift;
    if (this.#moved === null) {
      return shift === 0 ? this.#offsets : this.#offsets.map((offset) => offset + shift);
    }
    const { length } = this.#column;
    for (let row = this.#row; row <= length; row++) {
      this.#moved[row] = this.#offsets[row]! + shift;
    }
    return this.#moved;
  }
}

/**
 * Moves offsets from `row` on up to the last event, and returns the next row. The events are the
 * words from one index to another; the shift before the first event is in the word before it. Their
 * places are `origin` less than those of the column.
 *
 * Where events are rare, the rows before one are moved a dozen at a time. Otherwise each round
 * takes a row or an event without a branch, since no processor can predict which of them comes.
 */
function moveOffsets(
  offsets: Int32Array,
  moved: Int32Array,
  row: number,
  words: Int32Array,
  [start, stop]: readonly [start: number, stop: number],
  origin: number,
): number {
  let next = row;
  for (let event = start; event < stop;) {
    const at = words[event]!;
    const before = words[event - 1]!;
    // Below nulls, a row may end within a character.
    const behind = at + words[event + 1]!;
    for (; offsets[next + DOZEN - 1]! - origin < at; next += DOZEN) {
      for (let row = next; row < next + DOZEN; row++) {
        moved[row] = Math.min(offsets[row]! - origin + before, behind) + origin;
      }
    }
    const end = offsets[next]! - origin;
    moved[next] = Math.min(end + before, behind) + origin;
    const isBefore = (end - at) >>> 31;
    next += isBefore;
    event += 2 - 2 * isBefore;
  }
  return next;
}

/** Returns the last place up to `stop` that divides no character, provided the text is UTF-8. */
function endOfCharacter(data: Uint8Array, stop: number): number {
  for (let end = stop; end > stop - 4; end--) {
    if ((data[end]! & 0xc0) !== 0x80) return end;
  }
  return stop;
}
