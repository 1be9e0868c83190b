/**
 * The values of a column as ranks: the smallest value has rank 0, and equal values have the same rank. So
 * bounds compare integers, whatever the type.
 *
 * @module
 */

import type { HostColumn } from "../column/column.ts";
import { KeyBuckets } from "./key_buckets.ts";
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
  readonly #buckets: KeyBuckets;
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
    this.#buckets = new KeyBuckets(this.#keys);
  }

  /** Number of different values. */
  get count(): number {
    return this.#rows.length;
  }

  /**
   * Returns for each row of another column of the same type the number of ranked values that are less, or
   * with `orEqual` less or equal. Null rows have any number.
   */
  countBelow(column: HostColumn, orEqual: boolean): Int32Array {
    const counts = new Int32Array(column.length);
    const keys = orderKeys(column);
    if (this.#isExact) countExact(this.#keys, this.#buckets, keys, orEqual, counts);
    else this.#countTies(keys, tiesOf(column, this.#column), orEqual, counts);
    return counts;
  }

  #countTies(
    keys: Float64Array,
    ties: CompareTies,
    orEqual: boolean,
    counts: Int32Array,
  ): void {
    const [known, rows, { starts }] = [this.#keys, this.#rows, this.#buckets];
    // A tie counts as above the known value, or as below it.
    const least = orEqual ? 0 : 1;
    for (let row = 0; row < keys.length; row++) {
      const key = keys[row]!;
      const bucket = this.#buckets.bucketOf(key);
      let start = starts[bucket]!;
      let stop = starts[bucket + 1]!;
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

/** Writes the ranks of sorted rows. Returns the first row of each rank. */
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

/** Counts the keys in the sorted `known` that are less than each key, or with `orEqual` less or equal. */
function countExact(
  known: Float64Array,
  buckets: KeyBuckets,
  keys: Float64Array,
  orEqual: boolean,
  counts: Int32Array,
): void {
  const { starts } = buckets;
  for (let row = 0; row < keys.length; row++) {
    const key = keys[row]!;
    const bucket = buckets.bucketOf(key);
    let start = starts[bucket]!;
    let stop = starts[bucket + 1]!;
    while (start < stop) {
      const middle = (start + stop) >> 1;
      const other = known[middle]!;
      if (other < key || (orEqual && other === key)) start = middle + 1;
      else stop = middle;
    }
    counts[row] = start;
  }
}
