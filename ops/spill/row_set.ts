/**
 * Sets of row numbers.
 *
 * @module
 */

/** A set of row numbers, with a bit for each row. */
export class RowSet {
  readonly #bits: Uint8Array;

  /** Creates an empty set for the numbers below `numRows`. */
  constructor(numRows: number) {
    this.#bits = new Uint8Array(Math.ceil(numRows / 8));
  }

  add(numbers: Float64Array): void {
    for (let i = 0; i < numbers.length; i++) {
      const number = numbers[i]!;
      // Numbers may exceed 32 bits.
      this.#bits[Math.floor(number / 8)]! |= 1 << (number % 8);
    }
  }

  /** Returns the places of the numbers that are not in the set, in ascending order. */
  placesWithout(numbers: Float64Array): Int32Array {
    const places = new Int32Array(numbers.length);
    let count = 0;
    for (let at = 0; at < numbers.length; at++) {
      const number = numbers[at]!;
      places[count] = at;
      count += 1 - ((this.#bits[Math.floor(number / 8)]! >> (number % 8)) & 1);
    }
    return places.subarray(0, count);
  }
}
