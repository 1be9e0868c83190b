/**
 * A tree of maxima over integers, which finds all integers that are at least a bound.
 *
 * If the integers are the stops of intervals, in the order of their starts, it is the interval tree of
 * Cormen, Leiserson, Rivest and Stein (Introduction to Algorithms, 14.3), without pointers: level by level
 * in arrays, as in the implicit interval tree of cgranges (Li and Rong, Bedtk, 2021), but with eight
 * children for each node.
 *
 * @module
 */

const CHILD_BITS = 3;

/** Finds the places of integers that are at least a bound: O(log n) for none, and O(log n) more for each. */
export class GreatestTree {
  /** The integers, then the greatest of each eight of them, and so on until at most eight are left. */
  readonly #levels: readonly Int32Array[];

  constructor(values: Int32Array) {
    const levels = [values];
    for (let last = values; last.length > 1 << CHILD_BITS;) levels.push(last = greatest(last));
    this.#levels = levels;
  }

  /**
   * Writes the places in [start, stop) whose integers are at least `least` to `target`, in order, and
   * returns their number.
   */
  collect(start: number, stop: number, least: number, target: Int32Array): number {
    if (start >= stop) return 0;
    return this.#visit(this.#levels.length - 1, 0, start, stop, least, target, 0);
  }

  /** Visits eight blocks of a level, from `first` on, and returns the number of places so far. */
  #visit(
    level: number,
    first: number,
    start: number,
    stop: number,
    least: number,
    target: Int32Array,
    count: number,
  ): number {
    const values = this.#levels[level]!;
    const shift = CHILD_BITS * level;
    const from = Math.max(first, start >> shift);
    const to = Math.min(first + (1 << CHILD_BITS), ((stop - 1) >> shift) + 1);
    for (let block = from; block < to; block++) {
      if (values[block]! < least) continue;
      if (level === 0) target[count++] = block;
      else {
        count = this.#visit(level - 1, block << CHILD_BITS, start, stop, least, target, count);
      }
    }
    return count;
  }
}

/** Returns the greatest of each eight values. */
function greatest(values: Int32Array): Int32Array {
  const result = new Int32Array((values.length + (1 << CHILD_BITS) - 1) >> CHILD_BITS);
  for (let block = 0; block < result.length; block++) {
    const start = block << CHILD_BITS;
    const stop = Math.min(start + (1 << CHILD_BITS), values.length);
    let most = values[start]!;
    for (let at = start + 1; at < stop; at++) if (values[at]! > most) most = values[at]!;
    result[block] = most;
  }
  return result;
}
