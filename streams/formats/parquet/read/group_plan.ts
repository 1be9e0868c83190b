/**
 * Plans the decoding of the wanted rows of a row group: ranges and windows.
 *
 * @module
 */

import { upperBound } from "../../../../base/search.ts";
import { addRun, lastRow, type RowRun } from "../../../rows/row_run.ts";
import type { RowRange } from "../../../types/select_columns.ts";

/**
 * A gap between wanted rows is skipped only if it has this many rows and this share of the group:
 * each request costs the dictionaries of all columns and, without a page index, all pages.
 */
const leastGap = 4096;
const gapShare = 1 / 8;

/**
 * Splits runs by windows of `windowRows` rows of a group, in the order of the runs. A window comes
 * again if the runs return to it.
 */
export function* windowsOf(
  runs: readonly RowRun[],
  numRows: number,
  windowRows: number,
): Generator<readonly RowRun[], void, void> {
  const starts: number[] = [];
  for (let start = 0; start < numRows; start += windowRows) starts.push(start);
  for (const { chunk, runs: own } of splitRuns(runs, starts)) {
    yield own.map((run) => ({ ...run, start: run.start + starts[chunk]! }));
  }
}

/** Whether the rows strictly ascend. */
export function isForward(runs: readonly RowRun[]): boolean {
  let last = -1;
  return runs.every((run) => {
    if (run.start <= last || (run.step < 0 && run.count > 1)) return false;
    last = lastRow(run);
    return true;
  });
}

/**
 * Returns ascending row ranges that cover the runs in a group of `numRows` rows, but no wide gaps.
 */
export function rangesOf(runs: readonly RowRun[], numRows: number): RowRange[] {
  const gap = Math.max(leastGap, Math.ceil(numRows * gapShare));
  const covered: RowRange[] = [];
  for (const run of runs) {
    const { start, step, count } = run;
    if (Math.abs(step) <= gap) {
      const [first, last] = step > 0 ? [start, lastRow(run)] : [lastRow(run), start];
      covered.push({ start: first, stop: last + 1 });
    } else {
      for (let i = 0; i < count; i++) {
        covered.push({ start: start + i * step, stop: start + i * step + 1 });
      }
    }
  }
  covered.sort((left, right) => left.start - right.start);
  const ranges: RowRange[] = [];
  for (const { start, stop } of covered) {
    const last = ranges.at(-1);
    if (last === undefined || start - last.stop >= gap) ranges.push({ start, stop });
    else ranges[ranges.length - 1] = { start: last.start, stop: Math.max(last.stop, stop) };
  }
  return ranges;
}

/** Rows of a chunk, counted from its start. */
interface RunsOfChunk {
  readonly chunk: number;
  readonly runs: RowRun[];
}

/** Splits runs at the starts of chunks, in the order of the runs. The last chunk has no end. */
export function* splitRuns(
  runs: readonly RowRun[],
  starts: readonly number[],
): Generator<RunsOfChunk, void, void> {
  let open: RunsOfChunk | undefined;
  for (const run of runs) {
    let { start } = run;
    for (let left = run.count; left > 0;) {
      const chunk = upperBound(starts, start) - 1;
      const first = starts[chunk]!;
      const room = run.step > 0 ? (starts[chunk + 1] ?? Infinity) - 1 - start : start - first;
      const count = Math.min(left, Math.floor(room / Math.abs(run.step)) + 1);
      if (open?.chunk !== chunk) {
        if (open !== undefined) yield open;
        open = { chunk, runs: [] };
      }
      addRun(open.runs, { start: start - first, step: count === 1 ? 1 : run.step, count });
      start += run.step * count;
      left -= count;
    }
  }
  if (open !== undefined) yield open;
}

/** Takes rows from the front of runs that ascend. */
export class ForwardRuns {
  readonly #runs: readonly RowRun[];
  #index = 0;
  /** The number of rows taken from the run at `#index`. */
  #taken = 0;

  constructor(runs: readonly RowRun[]) {
    this.#runs = runs;
  }

  /** The next wanted row; undefined at the end. */
  get next(): number | undefined {
    const run = this.#runs[this.#index];
    return run && run.start + this.#taken * run.step;
  }

  /** Takes the wanted rows in [start, stop), counted from `start`. */
  take(start: number, stop: number): RowRun[] {
    const taken: RowRun[] = [];
    for (let row = this.next; row !== undefined && row < stop; row = this.next) {
      const { step, count } = this.#runs[this.#index]!;
      const left = count - this.#taken;
      const own = Math.min(left, Math.floor((stop - 1 - row) / step) + 1);
      addRun(taken, { start: row - start, step: own === 1 ? 1 : step, count: own });
      this.#taken += own;
      if (own < left) break;
      this.#index++;
      this.#taken = 0;
    }
    return taken;
  }
}
