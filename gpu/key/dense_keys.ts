/**
 * A set for integers that lie close together.
 *
 * @module
 */

import { bitAt } from "../column/bitmap.ts";

/** The most bits for each key, as many as a slot of a hash table has. */
const VALUES_PER_KEY = 64;
/** A range of at most this many values is always dense enough. */
const FEW_VALUES = 1 << 16;
/** The most values of a range: those that 32-bit positions distinguish, less one word. */
const MOST_VALUES = 2 ** 32 - 32;

/**
 * A set of integers that lie close together: one bit for each value of a range, which grows at both
 * ends. The low 32 bits of integers suffice to distinguish those of a range.
 */
export class DenseKeys {
  /** The value of the first bit; a multiple of 32. */
  #start = 0;
  #words = new Int32Array(0);
  #size = 0;

  /** The number of keys. */
  get size(): number {
    return this.#size;
  }

  /** The bytes of memory that it occupies. */
  get numBytes(): number {
    return this.#words.byteLength;
  }

  /**
   * Reserves memory for `numKeys` more keys from `least` to `greatest`. Returns false if all keys
   * together would lie too far apart, or if a number does not represent them exactly.
   */
  reserve(least: number, greatest: number, numKeys: number): boolean {
    if (least < Number.MIN_SAFE_INTEGER || greatest > Number.MAX_SAFE_INTEGER) return false;
    const first = 32 * Math.floor(least / 32);
    const stop = 32 * Math.ceil((greatest + 1) / 32);
    if (this.#words.length === 0) {
      if (!isDense(first, stop, numKeys)) return false;
      this.#start = first;
      this.#words = new Int32Array((stop - first) / 32);
      return true;
    }
    const [oldStart, oldStop] = [this.#start, this.#start + 32 * this.#words.length];
    const [newStart, newStop] = [Math.min(first, oldStart), Math.max(stop, oldStop)];
    if (newStart === oldStart && newStop === oldStop) return true;
    if (!isDense(newStart, newStop, this.#size + numKeys)) return false;
    // Double the range at the end that grows, so that not every batch copies all bits.
    const spare = Math.min(oldStop - oldStart, MOST_VALUES - (newStop - newStart));
    this.#resize(
      newStart < oldStart ? newStart - spare : newStart,
      newStop > oldStop && newStart === oldStart ? newStop + spare : newStop,
    );
    return true;
  }

  /**
   * Adds the integers of `numRows` rows from `start` on that are not null; every `width`th word
   * from `at` on is the low word of one. Returns the first row whose integer is already in the set,
   * or -1. Adds neither that row nor those after it.
   */
  add(
    lowWords: Int32Array,
    at: number,
    width: number,
    validity: Uint8Array | null,
    start: number,
    numRows: number,
  ): number {
    const words = this.#words;
    const first = this.#start;
    let size = this.#size;
    let repeated = -1;
    for (let row = start, word = at; row < start + numRows; row++, word += width) {
      if (validity !== null && bitAt(validity, row) === 0) continue;
      const position = (lowWords[word]! - first) >>> 0;
      const bits = words[position >>> 5]!;
      const added = bits | (1 << (position & 31));
      if (added === bits) {
        repeated = row;
        break;
      }
      words[position >>> 5] = added;
      size++;
    }
    this.#size = size;
    return repeated;
  }

  /** Yields all keys, ascending. */
  *values(): Generator<number, void, void> {
    for (const [index, word] of this.#words.entries()) {
      if (word === 0) continue;
      for (let bit = 0; bit < 32; bit++) {
        if (((word >>> bit) & 1) === 1) yield this.#start + 32 * index + bit;
      }
    }
  }

  /** Extends the range to [start, stop). */
  #resize(start: number, stop: number): void {
    const words = new Int32Array((stop - start) / 32);
    words.set(this.#words, (this.#start - start) / 32);
    this.#words = words;
    this.#start = start;
  }
}

/** Whether a number of keys justifies the bits of a range. */
function isDense(start: number, stop: number, numKeys: number): boolean {
  const most = Math.max(VALUES_PER_KEY * numKeys, FEW_VALUES);
  return stop - start <= Math.min(most, MOST_VALUES);
}
