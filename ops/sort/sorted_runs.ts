/**
 * Sorted rows in files, and their merge.
 *
 * A merge has a few batches of each run in memory. All rows up to the least of the runs' last rows can
 * come out: they are concatenated in the order of the runs and sorted, which keeps equal rows in order.
 *
 * @module
 */

import { OrderedRows, sortColumns } from "../../gpu/order/sort_columns.ts";
import { concatRows, gatherRows, type HostRows, sliceRows } from "../spill/host_rows.ts";
import type { RowFile } from "../spill/row_file.ts";
import type { Spill } from "../spill/spill.ts";
import type { RowOrder } from "./row_order.ts";

/** Rows in the order of a sort, batch by batch. */
type SortedRows = AsyncGenerator<HostRows, void, void>;

/** Runs of sorted rows in files. All rows of a run came before those of the next. */
export class SortedRuns {
  readonly #spill: Spill;
  readonly #order: RowOrder;
  #files: RowFile[] = [];

  constructor(spill: Spill, order: RowOrder) {
    this.#spill = spill;
    this.#order = order;
  }

  /** The number of runs. */
  get count(): number {
    return this.#files.length;
  }

  /** Writes rows as a run; they need not be sorted. */
  add(rows: HostRows): void {
    const file = this.#spill.newFile();
    for (const part of sortedParts(rows, this.#order, this.#spill.limits.rows)) file.take(part);
    file.finish();
    this.#files.push(file);
  }

  /** Yields the rows of all runs in their order, and removes the files. */
  async *merged(): SortedRows {
    const { sizes: { fanIn } } = this.#spill;
    while (this.#files.length > fanIn) {
      const files: RowFile[] = [];
      for (let first = 0; first < this.#files.length; first += fanIn) {
        files.push(await this.#mergedFile(this.#files.slice(first, first + fanIn)));
      }
      this.#files = files;
    }
    yield* this.#merge(this.#files);
  }

  async #mergedFile(files: readonly RowFile[]): Promise<RowFile> {
    const merged = this.#spill.newFile();
    for await (const rows of this.#merge(files)) merged.add(rows);
    merged.finish();
    return merged;
  }

  async *#merge(files: readonly RowFile[]): SortedRows {
    const heads = files.map((file) => new Head(file.rows(), this.#order));
    try {
      for (;;) {
        this.#spill.checkSignal();
        for (const head of heads) await head.fill();
        const parts = takeRows(heads);
        if (parts.length === 0) return;
        yield* sortedParts(concatRows(parts), this.#order, this.#spill.limits.rows);
      }
    } finally {
      for (const head of heads) await head.end();
      for (const file of files) file.remove();
    }
  }
}

/** Yields rows in their order, of at most `mostRows` rows at a time. */
export function* sortedParts(
  rows: HostRows,
  { places, orders }: RowOrder,
  mostRows: number,
): Generator<HostRows, void, void> {
  const sorted = sortColumns(places.map((place) => rows.columns[place]!), orders);
  for (let start = 0; start < sorted.length; start += mostRows) {
    yield gatherRows(rows, sorted.subarray(start, start + mostRows));
  }
}

interface Buffered {
  readonly rows: HostRows;
  readonly order: OrderedRows;
}

/** The batches of a run that are in memory. */
class Head {
  readonly #run: SortedRows;
  readonly #order: RowOrder;
  readonly #batches: Buffered[] = [];
  /** The rows of the first batch that have come out. */
  #at = 0;
  /** Whether the run may have more batches. */
  isOpen = true;

  constructor(run: SortedRows, order: RowOrder) {
    this.#run = run;
    this.#order = order;
  }

  /** Reads batches until two are in memory: with two, a step takes about one of every run. */
  async fill(): Promise<void> {
    while (this.isOpen && this.#batches.length < 2) {
      const next = await this.#run.next();
      if (next.done) this.isOpen = false;
      else if (next.value.numRows > 0) this.#batches.push(this.#buffered(next.value));
    }
  }

  #buffered(rows: HostRows): Buffered {
    const { places, orders } = this.#order;
    return { rows, order: new OrderedRows(places.map((place) => rows.columns[place]!), orders) };
  }

  /** The last batch in memory. */
  get last(): Buffered {
    return this.#batches.at(-1)!;
  }

  /** Takes the rows before a row, or with `orEqual` those equal to it too; all rows without one. */
  *take(limit: Buffered | undefined, orEqual: boolean): Generator<HostRows, void, void> {
    for (let batch = this.#batches[0]; batch !== undefined; batch = this.#batches[0]) {
      const { numRows } = batch.rows;
      const stop = limit === undefined ? numRows : countBefore(batch, this.#at, limit, orEqual);
      if (stop > this.#at) yield sliceRows(batch.rows, this.#at, stop);
      this.#at = stop;
      if (stop < numRows) return;
      this.#batches.shift();
      this.#at = 0;
    }
  }

  /** Ends the run. */
  async end(): Promise<void> {
    if (this.isOpen) await this.#run.return();
  }
}

/** Takes the rows that no later batch can precede: at least all buffered rows of one run. */
function takeRows(heads: readonly Head[]): HostRows[] {
  let limit: Buffered | undefined;
  let first = heads.length;
  heads.forEach((head, index) => {
    if (!head.isOpen) return;
    const { last } = head;
    if (limit === undefined || compareLast(last, limit) < 0) [limit, first] = [last, index];
  });
  // Its next batch may begin with an equal row, which precedes those of later runs.
  return heads.flatMap((head, index) => [...head.take(limit, index <= first)]);
}

function compareLast(left: Buffered, right: Buffered): number {
  return left.order.compare(left.rows.numRows - 1, right.order, right.rows.numRows - 1);
}

/** Returns the first row from `start` on that does not come before the last row of `limit`. */
function countBefore(
  { rows, order }: Buffered,
  start: number,
  limit: Buffered,
  orEqual: boolean,
): number {
  const last = limit.rows.numRows - 1;
  let [low, high] = [start, rows.numRows];
  while (low < high) {
    const middle = (low + high) >> 1;
    const place = order.compare(middle, limit.order, last);
    if (place < 0 || (orEqual && place === 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}
