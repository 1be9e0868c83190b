/**
 * The values of a column of the build side as ranks: the smallest value has rank 0, equal values have
 * one rank. What a bound asks of values then is a comparison of integers, whatever the type.
 *
 * @module
 */

import type { HostColumn } from "../../../gpu/column/column.ts";
import { areKeysExact, type CompareTies, orderKeys, tiesOf } from "./order_keys.ts";
import { sortRows } from "./sort_rows.ts";

/** The ranks of some rows of a column. */
export class RankedValues {
  /** The rank of each row; 0 for those that are not ranked. */
  readonly ranks: Int32Array;
  readonly #column: HostColumn;
  /** The key of each rank, and a row that has the value. */
  readonly #keys: Float64Array;
  readonly #rows: Int32Array;
  readonly #isExact: boolean;

  /** Ranks the given rows, none of which is null. */
  constructor(column: HostColumn, rows: Int32Array) {
    const keys = orderKeys(column);
    this.#column = column;
    this.#isExact = areKeysExact(column, keys, rows);
    const ties = this.#isExact ? null : tiesOf(column, column);
    const sorted = sortRows(keys, rows, ties);
    this.ranks = new Int32Array(column.length);
    const first = rankSorted(keys, sorted, ties, this.ranks);
    this.#rows = first;
    this.#keys = new Float64Array(first.length);
    for (let rank = 0; rank < first.length; rank++) this.#keys[rank] = keys[first[rank]!]!;
  }

  /** Number of different values. */
  get count(): number {
    return this.#rows.length;
  }

  /**
   * For each row of another column of the same type, how many of the ranked values are less; with
   * `orEqual` how many are less or equal. Anything for null rows.
   */
  countBelow(column: HostColumn, orEqual: boolean): Int32Array {
    const counts = new Int32Array(column.length);
    const keys = orderKeys(column);
    if (!this.#isExact) this.#countTies(keys, tiesOf(column, this.#column), orEqual, counts);
    else if (orEqual) countLessOrEqual(this.#keys, keys, counts);
    else countLess(this.#keys, keys, counts);
    return counts;
  }

  #countTies(
    keys: Float64Array,
    ties: CompareTies,
    orEqual: boolean,
    counts: Int32Array,
  ): void {
    const [known, rows] = [this.#keys, this.#rows];
    // A tie counts as above the known value, or as below it.
    const least = orEqual ? 0 : 1;
    for (let row = 0; row < keys.length; row++) {
      const key = keys[row]!;
      let start = 0;
      let stop = known.length;
      while (start < stop) {
        const middle = (start + stop) >> 1;
        const isBelow = known[middle]! < key ||
          (known[middle] === key && ties(row, rows[middle]!) >= least);
        if (isBelow) start = middle + 1;
        else stop = middle;
      }
      counts[row] = start;
    }
  }
}

/** Gives sorted rows their ranks, and returns the first row of each rank. */
function rankSorted(
  keys: Float64Array,
  sorted: Int32Array,
  ties: CompareTies | null,
  ranks: Int32Array,
): Int32Array {
  const first = new Int32Array(sorted.length);
  let count = 0;
  for (let at = 0; at < sorted.length; at++) {
    const row = sorted[at]!;
    const before = sorted[at - 1] ?? -1;
    const isNew = before < 0 || keys[before] !== keys[row] ||
      (ties !== null && ties(before, row) !== 0);
    if (isNew) first[count++] = row;
    ranks[row] = count - 1;
  }
  return first.slice(0, count);
}

/** Halves the range without a branch that is hard to predict: both searches do a step a bit. */
function countLess(known: Float64Array, keys: Float64Array, counts: Int32Array): void {
  if (known.length === 0) return;
  for (let row = 0; row < keys.length; row++) {
    const key = keys[row]!;
    let base = 0;
    for (let size = known.length; size > 1;) {
      const half = size >> 1;
      base = known[base + half - 1]! < key ? base + half : base;
      size -= half;
    }
    counts[row] = known[base]! < key ? base + 1 : base;
  }
}

function countLessOrEqual(known: Float64Array, keys: Float64Array, counts: Int32Array): void {
  if (known.length === 0) return;
  for (let row = 0; row < keys.length; row++) {
    const key = keys[row]!;
    let base = 0;
    for (let size = known.length; size > 1;) {
      const half = size >> 1;
      base = known[base + half - 1]! <= key ? base + half : base;
      size -= half;
    }
    counts[row] = known[base]! <= key ? base + 1 : base;
  }
}
