/**
 * Offsets that grow by the rows of other columns.
 *
 * @module
 */

import { type Offsets, viewAs } from "./column.ts";
import { GrowingBuffer } from "./growing_buffer.ts";
import { isWide, MAX_NARROW_OFFSET } from "./offsets.ts";

/**
 * Offsets, from 0 on, that grow by those of other rows; they become 64-bit as soon as one needs it.
 */
export class GrowingOffsets {
  #bytes: GrowingBuffer;
  #isWide = false;
  #last = 0;

  /** Reserves space for a number of rows. */
  constructor(numRows = 0) {
    this.#bytes = new GrowingBuffer(
      Int32Array.BYTES_PER_ELEMENT * (numRows === 0 ? 0 : numRows + 1),
    );
    this.#bytes.reserve(Int32Array.BYTES_PER_ELEMENT);
  }

  /** The last offset. */
  get last(): number {
    return this.#last;
  }

  /** Appends the ends of the first `length` rows of other offsets, which need not begin at 0. */
  append(offsets: Offsets, length: number): void {
    const shift = this.#last - offsets[0]!;
    this.#last = offsets[length]! + shift;
    if (this.#last > MAX_NARROW_OFFSET && !this.#isWide) this.#widen();
    const width = this.#isWide ? 8 : 4;
    for (let row = 0; row < length;) {
      const space = this.#bytes.reserve((length - row) * width);
      const ends = this.#isWide ? viewAs(Float64Array, space) : viewAs(Int32Array, space);
      if (isWide(ends) || isWide(offsets)) writeWide(ends, offsets, row, shift);
      else writeNarrow(ends, offsets, row, shift);
      row += ends.length;
    }
  }

  /** Returns all offsets, one more than rows. Nothing may be added afterwards. */
  finish(): Offsets {
    const bytes = this.#bytes.finish();
    return this.#isWide ? viewAs(Float64Array, bytes) : viewAs(Int32Array, bytes);
  }

  #widen(): void {
    const narrow = viewAs(Int32Array, this.#bytes.finish());
    this.#bytes = new GrowingBuffer();
    this.#bytes.append(new Uint8Array(Float64Array.from(narrow).buffer));
    this.#isWide = true;
  }
}

/** Writes the ends of rows from `row` on. */
function writeNarrow(ends: Int32Array, offsets: Int32Array, row: number, shift: number): void {
  for (let at = 0; at < ends.length; at++) ends[at] = offsets[row + at + 1]! + shift;
}

/**
 * Like `writeNarrow`, for any widths. It is separate, since code that has met both widths is slower
 * for 32 bits too.
 */
function writeWide(ends: Offsets, offsets: Offsets, row: number, shift: number): void {
  for (let at = 0; at < ends.length; at++) ends[at] = offsets[row + at + 1]! + shift;
}
