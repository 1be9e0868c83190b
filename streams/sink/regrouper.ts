/**
 * Computes where the groups of a stream of rows end, batch by batch. It sees numbers of rows, sizes and
 * changes of value, but no rows.
 *
 * @module
 */

import { firstWhere } from "../../base/search.ts";
import type { RowRange } from "../types/select_columns.ts";

/** The size of a batch, and its changes of value. */
export interface BatchInfo {
  readonly numRows: number;
  /** Bytes of the rows [start, stop); monotonic in the range. Only called where bytes are limited. */
  rowBytes(start: number, stop: number): number;
  /**
   * The rows, ascending, that differ from the row before them; the row before the first one is the last
   * of the batch before. Only read for groups of equal rows.
   */
  readonly changes?: ArrayLike<number>;
}

/** The rows of a batch that belong to one group; there may be none. */
export interface Part extends RowRange {
  /** Whether the group is complete with them. */
  readonly isLast: boolean;
}

/** The size of a group. */
interface GroupSize {
  /** The number of rows of each group but the last. */
  readonly rows: number;
  /** The most bytes of a group, unless a single row has more. */
  readonly bytes: number;
}

/**
 * The rule for the ends of groups.
 *
 * - `size`: at `rows` rows, or earlier where one more row would exceed `bytes`; the last group takes the
 *   rest.
 * - `sizes`: each group has the next number of rows. They must add up to all rows.
 * - `runs`: never between equal neighbours; at the first change where the group has `rows` rows or
 *   `bytes` bytes, or more.
 */
export type Grouping =
  | { readonly kind: "size" } & GroupSize
  | { readonly kind: "sizes"; readonly sizes: readonly number[] }
  | { readonly kind: "runs" } & GroupSize;

/** The rows so far of the group that is open. */
interface OpenGroup {
  /** Its number, from 0. */
  readonly index: number;
  readonly rows: number;
  readonly bytes: number;
}

/** The end of the rows of a batch that belong to the open group, and whether the group ends there. */
type NextPart = Omit<Part, "start">;

/** Cuts batches into parts of groups. Groups depend only on the rows, not on the batches. */
export class Regrouper {
  readonly #grouping: Grouping;
  readonly #countsBytes: boolean;
  #open: OpenGroup = { index: 0, rows: 0, bytes: 0 };

  constructor(grouping: Grouping) {
    this.#grouping = grouping;
    this.#countsBytes = grouping.kind !== "sizes" && grouping.bytes !== Infinity;
  }

  /** The number of complete groups. */
  get numGroups(): number {
    return this.#open.index;
  }

  /** Whether a group has rows and is not complete. */
  get isOpen(): boolean {
    return this.#open.rows > 0;
  }

  /**
   * Adds a batch and returns its parts, in order. A part without rows says that the group before the
   * batch was complete. Throws a RangeError for rows beyond the sum of `sizes`, after the parts within it.
   */
  *push(batch: BatchInfo): Generator<Part, void, void> {
    for (let start = 0; start < batch.numRows;) {
      const part = this.next(batch, start);
      yield part;
      start = part.stop;
    }
  }

  /** Returns the next part: `start` is the row after the previous part, or 0. */
  next(batch: BatchInfo, start: number): Part {
    const { stop, isLast } = this.#partOf(batch, start);
    this.#add(batch, start, stop, isLast);
    return { start, stop, isLast };
  }

  /** Ends the input; returns whether a group is open. Throws a RangeError for fewer rows than the sum of `sizes`. */
  end(): boolean {
    if (this.#grouping.kind === "sizes") checkEnd(this.#grouping.sizes, this.#open);
    return this.isOpen;
  }

  #partOf(batch: BatchInfo, start: number): NextPart {
    switch (this.#grouping.kind) {
      case "size":
        return nextOfSize(this.#grouping, this.#open, batch, start);
      case "sizes":
        return nextOfSizes(this.#grouping.sizes, this.#open, batch, start);
      case "runs":
        return nextOfRuns(this.#grouping, this.#open, batch, start);
    }
  }

  #add(batch: BatchInfo, start: number, stop: number, isLast: boolean): void {
    const { index, rows, bytes } = this.#open;
    if (isLast) this.#open = { index: index + 1, rows: 0, bytes: 0 };
    else {
      const added = this.#countsBytes ? batch.rowBytes(start, stop) : 0;
      this.#open = { index, rows: rows + stop - start, bytes: bytes + added };
    }
  }
}

function nextOfSize(size: GroupSize, open: OpenGroup, batch: BatchInfo, start: number): NextPart {
  const most = Math.min(batch.numRows, start + size.rows - open.rows);
  const stop = lastFit(batch, start, most, size.bytes - open.bytes, open.rows === 0);
  return { stop, isLast: open.rows + stop - start >= size.rows || stop < batch.numRows };
}

/**
 * Returns the last stop, up to `most`, such that the rows from `start` have at most `bytes` bytes; after at
 * least one row if it `takesOne`.
 */
function lastFit(
  batch: BatchInfo,
  start: number,
  most: number,
  bytes: number,
  takesOne: boolean,
): number {
  if (bytes === Infinity || batch.rowBytes(start, most) <= bytes) return most;
  const stop = firstWhere(start + 1, most, (stop) => batch.rowBytes(start, stop) > bytes) - 1;
  return stop === start && takesOne ? start + 1 : stop;
}

function nextOfSizes(
  sizes: readonly number[],
  { index, rows }: OpenGroup,
  { numRows }: BatchInfo,
  start: number,
): NextPart {
  const size = sizes[index];
  if (size === undefined) {
    throw new RangeError(
      `The sizes of batches add up to ${sumOf(sizes)} rows, but the input has more`,
    );
  }
  const end = start + size - rows;
  return { stop: Math.min(numRows, end), isLast: end <= numRows };
}

function checkEnd(sizes: readonly number[], { index, rows }: OpenGroup): void {
  if (index === sizes.length) return;
  const numRows = sumOf(sizes.slice(0, index)) + rows;
  throw new RangeError(
    `The sizes of batches add up to ${sumOf(sizes)} rows, but the input has ${numRows}`,
  );
}

function sumOf(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0);
}

function nextOfRuns(size: GroupSize, open: OpenGroup, batch: BatchInfo, start: number): NextPart {
  const changes = batch.changes ?? [];
  const isFull = (stop: number) =>
    open.rows + stop - start >= size.rows ||
    (size.bytes !== Infinity && open.bytes + batch.rowBytes(start, stop) >= size.bytes);
  const first = open.rows > 0 ? start : start + 1;
  const isLate = (row: number) => row >= first && isFull(row);
  const stop = changes[firstWhere(0, changes.length, (index) => isLate(changes[index]!))];
  return stop === undefined ? { stop: batch.numRows, isLast: false } : { stop, isLast: true };
}
