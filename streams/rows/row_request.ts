/**
 * Requests for rows of a source, by position and in an order.
 *
 * @module
 */

import { MissingRowError } from "../../base/errors/step_error.ts";
import { upperBound } from "../../base/search.ts";
import {
  isEmptySlice,
  isWholeSlice,
  printSlice,
  resolveSlice,
  type RowSlice,
  rowSlice,
  wholeSlice,
} from "./row_slice.ts";
import { addRun, lastRow, numRowsOf, type RowRun } from "./row_run.ts";

/** Single rows, negative from the end, and slices, in their order. A single row must exist. */
export interface RowList {
  /** Tells a list from a slice. */
  readonly kind: "list";
  /** Positions of single rows, and slices. */
  readonly parts: readonly (number | RowSlice)[];
}

/** Some rows. */
export type RowPick = RowSlice | RowList;

/** Picks that follow each other, each from the rows that the one before it took. */
export type RowRequest = readonly [RowPick, ...RowPick[]];

/** The request for all rows, in the order of the source. */
export const allRows: RowRequest = Object.freeze([wholeSlice] as const);

/** Whether a request is for all rows, in the order of the source. */
export function isAllRows([pick, ...later]: RowRequest): boolean {
  return later.length === 0 && pick.kind === "slice" && isWholeSlice(pick);
}

/** Returns the rows that a request takes of `numRows` rows, in its order. Throws a MissingRowError. */
export function resolveRows(request: RowRequest, numRows: number): readonly RowRun[] {
  const [first, ...later] = request;
  let runs = runsOf(first, numRows, 0);
  for (const [index, pick] of later.entries()) {
    const picked = runsOf(pick, numRowsOf(runs), index + 1);
    runs = rowsAt(runs, picked);
  }
  return runs;
}

/** Returns the rows of one pick. */
function runsOf(pick: RowPick, numRows: number, index: number): RowRun[] {
  const runs: RowRun[] = [];
  for (const part of pick.kind === "slice" ? [pick] : pick.parts) {
    if (typeof part !== "number") {
      addRun(runs, resolveSlice(part, numRows));
      continue;
    }
    const row = part < 0 ? part + numRows : part;
    if (row < 0 || row >= numRows) throw new MissingRowError(part, numRows, index);
    addRun(runs, { start: row, step: 1, count: 1 });
  }
  return runs;
}

/** Returns the rows of `runs` at the positions of `picked`. */
function rowsAt(runs: readonly RowRun[], picked: readonly RowRun[]): RowRun[] {
  const ends: number[] = [];
  let end = 0;
  for (const { count } of runs) ends.push(end += count);
  const rows: RowRun[] = [];
  for (const { start, step, count } of picked) {
    let position = start;
    let left = count;
    for (let index = upperBound(ends, start); left > 0; index += Math.sign(step)) {
      const run = runs[index]!;
      const before = ends[index]! - run.count;
      // The rows up to the border of this run, in the direction of the step.
      const room = step > 0 ? ends[index]! - 1 - position : position - before;
      if (room < 0) continue;
      const taken = Math.min(left, Math.floor(room / Math.abs(step)) + 1);
      addRun(rows, {
        start: run.start + run.step * (position - before),
        step: taken === 1 ? 1 : run.step * step,
        count: taken,
      });
      position += step * taken;
      left -= taken;
    }
  }
  return rows;
}

/** Returns the request for the rows of runs. */
export function requestOfRuns(runs: readonly RowRun[]): RowRequest {
  const [only, ...others] = runs;
  if (only === undefined) return [rowSlice(0, 0)];
  if (others.length === 0) return [sliceOf(only)];
  return [{
    kind: "list",
    parts: runs.map((run) => run.count === 1 ? run.start : sliceOf(run)),
  }];
}

function sliceOf(run: RowRun): RowSlice {
  const { start, step } = run;
  const last = lastRow(run);
  if (step > 0) return rowSlice(start, last + 1, step);
  return rowSlice(start, last === 0 ? null : last - 1, step);
}

/** Prints a pick as a person writes it: `-1000:`, `5,-1,100:110`. */
export function printPick(pick: RowPick): string {
  if (pick.kind === "slice") return printSlice(pick);
  return pick.parts.map((part) => typeof part === "number" ? String(part) : printSlice(part))
    .join();
}

/** Whether a pick takes no row of any source. */
export function isEmptyPick(pick: RowPick): boolean {
  if (pick.kind === "slice") return isEmptySlice(pick);
  return pick.parts.every((part) => typeof part !== "number" && isEmptySlice(part));
}
