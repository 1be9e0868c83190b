/**
 * Merges runs of rows that are sorted by row number into one.
 *
 * The merge buffers a few batches of every run. All rows up to the least of the runs' last numbers can come
 * out. They are concatenated, the order of their numbers is merged pair by pair, and one gather puts the
 * columns into that order.
 *
 * @module
 */

import { lowerBound, upperBound } from "../../base/search.ts";
import {
  concatRows,
  freeRows,
  gatherRows,
  type HostRows,
  rowsBytes,
  sliceRows,
} from "./host_rows.ts";

/** Rows with ascending numbers, which may repeat. */
export interface NumberedRows extends HostRows {
  readonly numbers: Float64Array;
}

/** Batches of rows, sorted by number. */
export type Run = AsyncGenerator<NumberedRows, void, void>;

/** The approximate limits of one batch of the result. */
interface BatchLimits {
  readonly rows: number;
  readonly bytes: number;
}

/** The number of batches to buffer for each run. With two, a step takes about one of every run. */
const BUFFERED = 2;

/** A run that is being merged. */
interface Head {
  readonly run: Run;
  /** Whether the run may have more batches. */
  isOpen: boolean;
  /** The buffered batches; the rows of the first one before `at` have come out. */
  readonly batches: NumberedRows[];
  at: number;
}

/**
 * Yields the rows of all runs, sorted by number. Rows with the same number come in the order of their runs,
 * and within a run in its own order. Ending the merge early ends the runs.
 */
export async function* mergeRuns(
  runs: readonly Run[],
  limits: BatchLimits,
): AsyncGenerator<NumberedRows, void, void> {
  const heads = runs.map((run): Head => ({ run, isOpen: true, batches: [], at: 0 }));
  try {
    for (;;) {
      for (const head of heads) await fill(head);
      const parts = takeRows(heads);
      if (parts.length === 0) return;
      yield* orderedRows(parts, limits);
    }
  } finally {
    for (const { run, isOpen } of heads) if (isOpen) await run.return();
  }
}

async function fill(head: Head): Promise<void> {
  while (head.isOpen && head.batches.length < BUFFERED) {
    const next = await head.run.next();
    if (next.done) head.isOpen = false;
    else if (next.value.numRows > 0) head.batches.push(next.value);
  }
}

/** Takes the rows that no later batch can precede: at least all buffered rows of one run. */
function takeRows(heads: readonly Head[]): NumberedRows[] {
  let limit = Infinity;
  let first = heads.length;
  heads.forEach(({ isOpen, batches }, index) => {
    const last = batches.at(-1)?.numbers.at(-1)!;
    if (isOpen && last < limit) {
      limit = last;
      first = index;
    }
  });
  // Its next batch may begin with the same number, which precedes that number in later runs.
  return heads.flatMap((head, index) => [...takeBelow(head, limit, index <= first)]);
}

/** Takes the rows of a run whose numbers are below the limit, or with `orEqual` equal to it. */
function* takeBelow(
  head: Head,
  limit: number,
  orEqual: boolean,
): Generator<NumberedRows, void, void> {
  const { batches } = head;
  for (let batch = batches[0]; batch !== undefined; batch = batches[0]) {
    const stop = countBelow(batch.numbers, head.at, limit, orEqual);
    if (stop > head.at) yield slice(batch, head.at, stop);
    head.at = stop;
    if (stop < batch.numRows) return;
    batches.shift();
    head.at = 0;
  }
}

function slice(rows: NumberedRows, start: number, stop: number): NumberedRows {
  if (start === 0 && stop === rows.numRows) return rows;
  return { ...sliceRows(rows, start, stop), numbers: rows.numbers.subarray(start, stop) };
}

/** Returns the first place from `start` on whose number is at least the limit, or with `orEqual` above it. */
function countBelow(
  numbers: Float64Array,
  start: number,
  limit: number,
  orEqual: boolean,
): number {
  const bound = orEqual ? upperBound : lowerBound;
  return start + bound(numbers.subarray(start), limit);
}

function* orderedRows(
  parts: readonly NumberedRows[],
  limits: BatchLimits,
): Generator<NumberedRows, void, void> {
  const [only] = parts;
  if (parts.length === 1) {
    const each = rowsWithin(only!, limits);
    for (let start = 0; start < only!.numRows; start += each) {
      yield slice(only!, start, Math.min(start + each, only!.numRows));
    }
    return;
  }
  const rows = concatRows(parts);
  const numbers = new Float64Array(rows.numRows);
  const starts = new Int32Array(parts.length + 1);
  parts.forEach((part, index) => {
    numbers.set(part.numbers, starts[index]!);
    starts[index + 1] = starts[index]! + part.numRows;
  });
  const order = mergedOrder(numbers, starts);
  const each = rowsWithin(rows, limits);
  for (let start = 0; start < order.length; start += each) {
    const selection = order.subarray(start, start + each);
    yield { ...gatherRows(rows, selection), numbers: pick(numbers, selection) };
  }
  freeRows(rows);
}

/** Returns the number of rows of a batch of the result, by the average size of a row. */
function rowsWithin(rows: HostRows, limits: BatchLimits): number {
  const bytesPerRow = Math.max(1, rowsBytes(rows) / rows.numRows);
  return Math.max(1, Math.floor(Math.min(limits.rows, limits.bytes / bytesPerRow)));
}

function pick(numbers: Float64Array, selection: Int32Array): Float64Array {
  const picked = new Float64Array(selection.length);
  for (let i = 0; i < picked.length; i++) picked[i] = numbers[selection[i]!]!;
  return picked;
}

/**
 * Returns the places of `numbers` in ascending order, where the ranges between `starts` are already sorted,
 * by a stable bottom-up merge sort.
 */
function mergedOrder(numbers: Float64Array, starts: Int32Array): Int32Array {
  let order = new Int32Array(numbers.length);
  for (let i = 0; i < order.length; i++) order[i] = i;
  let merged = new Int32Array(numbers.length);
  const numParts = starts.length - 1;
  for (let width = 1; width < numParts; width *= 2) {
    for (let part = 0; part < numParts; part += 2 * width) {
      const middle = Math.min(part + width, numParts);
      const stop = Math.min(part + 2 * width, numParts);
      mergePair(numbers, order, starts[part]!, starts[middle]!, starts[stop]!, merged);
    }
    [order, merged] = [merged, order];
  }
  return order;
}

/** Merges the sorted ranges [start, middle) and [middle, stop) of `order` into `merged`. */
function mergePair(
  numbers: Float64Array,
  order: Int32Array,
  start: number,
  middle: number,
  stop: number,
  merged: Int32Array,
): void {
  let left = start;
  let right = middle;
  for (let to = start; to < stop; to++) {
    const takesLeft = left < middle &&
      (right >= stop || numbers[order[left]!]! <= numbers[order[right]!]!);
    merged[to] = takesLeft ? order[left++]! : order[right++]!;
  }
}
