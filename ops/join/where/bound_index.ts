/**
 * The rows of a build side, sorted for searches by the bounds of a probe row.
 *
 * Rows with equal keys (a group) lie together, in the order of the first value, whose bounds are a range of
 * places. Within the range a tree finds the bounds of a second value: if the values are the starts and the
 * stops of intervals, it is an interval tree. Bounds of further values are compared place by place.
 *
 * @module
 */

import { GreatestTree } from "./greatest_tree.ts";
import { RowSorter } from "../../../gpu/order/row_sorter.ts";

/** The rows and values of an index; arrays are by row of the build side. */
interface IndexedRows {
  /** The number of rows of the build side. */
  readonly numRows: number;
  /** The rows that can match, in ascending order. */
  readonly rows: Int32Array;
  /** The group of each row; null without keys: all rows are one group. */
  readonly groups: { readonly numbers: Int32Array; readonly count: number } | null;
  /** The values with bounds, in the order of the search. */
  readonly values: readonly BoundValue[];
}

/** A value of the build side, as ranks, for which probe rows have bounds. */
export interface BoundValue {
  readonly ranks: Int32Array;
  /** The number of ranks. */
  readonly count: number;
  readonly hasLower: boolean;
  readonly hasUpper: boolean;
}

/** The bounds of the rows of a probe batch. */
export interface ProbeBounds {
  readonly numRows: number;
  /** The group of each row, -1 for a row that cannot match; null if all rows are in group 0. */
  readonly groups: Int32Array | null;
  /** The range of ranks [lower, upper) for each value; null for a missing bound. */
  readonly ranges: readonly RankRange[];
}

interface RankRange {
  readonly lower: Int32Array | null;
  readonly upper: Int32Array | null;
}

/** A tree of the ranks of a value, or of their negatives. */
interface Tree {
  readonly tree: GreatestTree;
  /** Whether it finds ranks below the upper bound, rather than ranks from the lower bound on. */
  readonly isUpper: boolean;
  /** Whether the value also has the other bound. */
  readonly isHalf: boolean;
}

/** Finds the rows within the bounds of a probe row. */
export class BoundIndex {
  /** The number of places compared one by one so far. */
  numCompared = 0;
  /** The row at each place. */
  readonly #rows: Int32Array;
  readonly #isAscending: boolean;
  readonly #sorter: RowSorter;
  /** The place where each group starts, then the end of the last group. */
  readonly #groupStarts: Int32Array;
  /** The place where each rank of the first value starts; null with groups. */
  readonly #rankStarts: Int32Array | null;
  /** The ranks of each value, by place. */
  readonly #ranks: readonly Int32Array[];
  readonly #tree: Tree | null;
  #start = 0;
  #stop = 0;

  /** Sorts the rows. */
  constructor({ numRows, rows, groups, values }: IndexedRows) {
    const [first, second] = values;
    const byRank = first && sortByNumber(rows, first.ranks, first.count);
    const sorted = byRank?.rows ?? rows;
    const byGroup = groups && sortByNumber(sorted, groups.numbers, groups.count);
    const places = byGroup?.rows ?? sorted;
    this.#rows = places;
    this.#isAscending = places.every((row, place) => place === 0 || row > places[place - 1]!);
    this.#sorter = new RowSorter(numRows);
    this.#groupStarts = byGroup?.starts ?? Int32Array.of(0, places.length);
    this.#rankStarts = groups === null ? byRank?.starts ?? null : null;
    this.#ranks = values.map(({ ranks }) => places.map((row) => ranks[row]!));
    this.#tree = second === undefined ? null : treeOf(second, this.#ranks[1]!);
  }

  /** The greatest number of rows that a search can find. */
  get mostFound(): number {
    return this.#rows.length;
  }

  /** Whether the matches of a probe row are all rows of a range of places. */
  get isRange(): boolean {
    return this.#tree === null;
  }

  /** Returns the number of rows within the bounds of a probe row. Call it only if `isRange`. */
  countRange(bounds: ProbeBounds, row: number): number {
    this.#findRange(bounds, row);
    return this.#stop - this.#start;
  }

  /** Writes the rows within the bounds of a probe row to `found`, ascending, and returns their number. */
  search(bounds: ProbeBounds, row: number, found: Int32Array): number {
    this.#findRange(bounds, row);
    const count = this.#tree === null
      ? this.#takeRange(found)
      : this.#searchTree(this.#tree, bounds, row, found);
    if (!this.#isAscending && count > 1) this.#sorter.sort(found, count);
    return count;
  }

  /** Finds the range of places in the group within the bounds of the first value. */
  #findRange({ groups, ranges }: ProbeBounds, row: number): void {
    const group = groups === null ? 0 : groups[row]!;
    if (group < 0) {
      this.#start = this.#stop = 0;
      return;
    }
    let start = this.#groupStarts[group]!;
    let stop = this.#groupStarts[group + 1]!;
    const range = ranges[0];
    if (range !== undefined) {
      const { lower, upper } = range;
      const rankStarts = this.#rankStarts;
      if (rankStarts !== null) {
        if (lower !== null) start = rankStarts[lower[row]!]!;
        if (upper !== null) stop = rankStarts[upper[row]!]!;
      } else {
        const ranks = this.#ranks[0]!;
        if (lower !== null) start = firstFrom(ranks, start, stop, lower[row]!);
        if (upper !== null) stop = firstFrom(ranks, start, stop, upper[row]!);
      }
    }
    this.#start = start;
    this.#stop = Math.max(start, stop);
  }

  #takeRange(found: Int32Array): number {
    const count = this.#stop - this.#start;
    if (count > 32) found.set(this.#rows.subarray(this.#start, this.#stop));
    else for (let at = 0; at < count; at++) found[at] = this.#rows[this.#start + at]!;
    return count;
  }

  #searchTree(
    { tree, isUpper, isHalf }: Tree,
    { ranges }: ProbeBounds,
    row: number,
    found: Int32Array,
  ): number {
    const { lower, upper } = ranges[1]!;
    const least = isUpper ? 1 - upper![row]! : lower![row]!;
    let count = tree.collect(this.#start, this.#stop, least, found);
    this.numCompared += count;
    for (let value = isHalf ? 1 : 2; value < ranges.length; value++) {
      const { lower, upper } = ranges[value]!;
      const from = lower === null ? 0 : lower[row]!;
      const to = upper === null ? Infinity : upper[row]!;
      count = keepRanks(this.#ranks[value]!, from, to, found, count);
    }
    for (let at = 0; at < count; at++) found[at] = this.#rows[found[at]!]!;
    return count;
  }
}

function treeOf({ hasLower, hasUpper }: BoundValue, ranks: Int32Array): Tree {
  const tree = new GreatestTree(hasLower ? ranks : ranks.map((rank) => -rank));
  return { tree, isUpper: !hasLower, isHalf: hasLower && hasUpper };
}

/** Sorts rows by a number below `count` for each. Returns them, and the place where each number starts. */
function sortByNumber(
  rows: Int32Array,
  numbers: Int32Array,
  count: number,
): { readonly rows: Int32Array; readonly starts: Int32Array } {
  const starts = new Int32Array(count + 1);
  for (let at = 0; at < rows.length; at++) starts[numbers[rows[at]!]! + 1]!++;
  for (let number = 0; number < count; number++) starts[number + 1]! += starts[number]!;
  const next = starts.slice();
  const sorted = new Int32Array(rows.length);
  for (let at = 0; at < rows.length; at++) sorted[next[numbers[rows[at]!]!]!++] = rows[at]!;
  return { rows: sorted, starts };
}

/** Returns the first place in [start, stop) with a rank of at least `least`, else `stop`. */
function firstFrom(ranks: Int32Array, start: number, stop: number, least: number): number {
  while (start < stop) {
    const middle = (start + stop) >>> 1;
    if (ranks[middle]! < least) start = middle + 1;
    else stop = middle;
  }
  return start;
}

/** Keeps the places whose ranks are in [lower, upper). Returns their number. */
function keepRanks(
  ranks: Int32Array,
  lower: number,
  upper: number,
  places: Int32Array,
  count: number,
): number {
  let kept = 0;
  for (let at = 0; at < count; at++) {
    const place = places[at]!;
    const rank = ranks[place]!;
    places[kept] = place;
    if (rank >= lower && rank < upper) kept++;
  }
  return kept;
}
