/**
 * Merges runs of rows that are sorted by a row number into one.
 *
 * The merge works on batches: of every run it holds one piece. All rows up to the least of the last
 * numbers of these pieces can come out; they are put behind each other, the order of their numbers is
 * merged pair by pair, and the columns follow in one gather.
 *
 * @module
 */

import { concatRows, gatherRows, type HostRows, rowsBytes, sliceRows } from "./host_rows.ts";

/** Rows with ascending numbers, which may repeat. */
export interface NumberedRows extends HostRows {
  readonly numbers: Float64Array;
}

/** Rows in pieces, sorted by number. */
export type Run = AsyncGenerator<NumberedRows, void, void>;

/** About the most rows and bytes of one piece of the result. */
interface PieceLimits {
  readonly rows: number;
  readonly bytes: number;
}

/** The piece of a run that is under way: the rows before `at` have come out. */
interface Head {
  readonly piece: NumberedRows;
  at: number;
}

/**
 * The rows of all runs, sorted by number; rows with the same number come in the order of the runs,
 * and within one in its own. Ending it early ends the runs.
 */
export async function* mergeRuns(
  runs: readonly Run[],
  limits: PieceLimits,
): AsyncGenerator<NumberedRows, void, void> {
  const heads: (Head | undefined)[] = runs.map(() => undefined);
  const open = new Set(runs.keys());
  try {
    for (;;) {
      for (const index of open) {
        if (heads[index] !== undefined) continue;
        heads[index] = await nextHead(runs[index]!);
        if (heads[index] === undefined) open.delete(index);
      }
      if (open.size === 0) return;
      yield* orderedRows(takeRows(heads), limits);
    }
  } finally {
    for (const index of open) await runs[index]!.return();
  }
}

async function nextHead(run: Run): Promise<Head | undefined> {
  for (let next = await run.next(); !next.done; next = await run.next()) {
    if (next.value.numRows > 0) return { piece: next.value, at: 0 };
  }
  return undefined;
}

/** Takes the rows that no later piece can come before: at least all that is left of one head. */
function takeRows(heads: (Head | undefined)[]): NumberedRows[] {
  let limit = Infinity;
  let first = 0;
  heads.forEach((head, index) => {
    const last = head?.piece.numbers.at(-1) ?? Infinity;
    if (last < limit) {
      limit = last;
      first = index;
    }
  });
  const taken: NumberedRows[] = [];
  heads.forEach((head, index) => {
    if (head === undefined) return;
    const { piece, at } = head;
    // The next piece of that run may go on with the same number, and comes before later runs.
    const stop = countBelow(piece.numbers, at, limit, index <= first);
    if (stop > at) taken.push(slice(piece, at, stop));
    if (stop === piece.numRows) heads[index] = undefined;
    else head.at = stop;
  });
  return taken;
}

function slice(rows: NumberedRows, start: number, stop: number): NumberedRows {
  if (start === 0 && stop === rows.numRows) return rows;
  return { ...sliceRows(rows, start, stop), numbers: rows.numbers.subarray(start, stop) };
}

/** The first place from `start` on whose number is not below the limit, or not equal to it either. */
function countBelow(
  numbers: Float64Array,
  start: number,
  limit: number,
  orEqual: boolean,
): number {
  let low = start;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const number = numbers[middle]!;
    if (number < limit || (orEqual && number === limit)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function* orderedRows(
  parts: readonly NumberedRows[],
  limits: PieceLimits,
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
}

/** Rows of a piece of the result, which count as large as they are on average. */
function rowsWithin(rows: HostRows, limits: PieceLimits): number {
  const bytesPerRow = Math.max(1, rowsBytes(rows) / rows.numRows);
  return Math.max(1, Math.floor(Math.min(limits.rows, limits.bytes / bytesPerRow)));
}

function pick(numbers: Float64Array, selection: Int32Array): Float64Array {
  const picked = new Float64Array(selection.length);
  for (let i = 0; i < picked.length; i++) picked[i] = numbers[selection[i]!]!;
  return picked;
}

/**
 * The places of `numbers` in ascending order; the parts between `starts` are sorted already. A merge
 * sort from the bottom up, stable.
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

/** Merges the sorted parts [start, middle) and [middle, stop) of `order` into `merged`. */
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
