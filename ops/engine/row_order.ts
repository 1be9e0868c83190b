/**
 * Chooses the order in which rows are read: ascending, so that each chunk of a source is read once,
 * whatever the order of the request.
 *
 * @module
 */

import { lowerBound } from "../../base/search.ts";
import { requestOfRuns, resolveRows } from "../../streams/rows/row_request.ts";
import type { RowList, RowPick, RowRequest } from "../../streams/rows/row_request.ts";
import {
  addRun,
  lastRow,
  numRowsOf,
  positionsOf,
  type RowRun,
} from "../../streams/rows/row_run.ts";
import { rowSlice } from "../../streams/rows/row_slice.ts";

/** The most rows that are put in order, since they are buffered. */
const MAX_ROWS = 1 << 20;

/** A position below this and an index below 2^20 fit one exact number. */
const MOST_PACKED = 2 ** 33;

/** More rows than any source has, so that positions from one end never meet the other end. */
const MANY = 2 ** 52;

/** One reading of a source. */
export interface RowRead {
  /** The rows in the order of the request. */
  readonly request: RowRequest;
  /** The same rows in ascending order; present where reading them so is better. */
  readonly ascending?: AscendingRows;
}

/** Rows in ascending order, each once, and the order of the original request. */
export interface AscendingRows {
  readonly request: RowRequest;
  /** The number of rows of the request, if the source has them all. */
  readonly numRows: number;
  /** Whether rows that the source does not have are the first of these, or the last. */
  readonly missing: "first" | "last";
  /** For each row of the original request, its index among these rows. */
  readonly order: Int32Array;
  /**
   * For each row of the original request, its position in the source; if negative, from the end.
   */
  readonly places: Float64Array;
}

/**
 * Returns the reads for the rows of a request. Rows that go in one direction are read as requested.
 * So are those of lists with more than 1,048,576 rows, which memory could not buffer; the last part
 * of such a list is read separately and does not count. Asks `countRows` only where the order
 * depends on the number of rows; if that is unknown, the request stays as it is. Throws a
 * MissingRowError if a row does not exist.
 */
export async function readsOf(
  request: RowRequest,
  countRows: () => Promise<number | undefined>,
): Promise<readonly RowRead[]> {
  const asWritten = [{ request }];
  const [first, ...later] = request;
  if (request.every(({ kind }) => kind === "slice")) return asWritten;
  const list = later.length === 0 ? first as RowList : undefined;
  const end = list && endOf(list);
  const numRows = end === undefined ? await countRows() : MANY;
  if (numRows === undefined) return asWritten;
  const runs = resolveRows(request, numRows);
  if (isOneWay(runs)) return asWritten;
  if (numRowsOf(runs) <= MAX_ROWS) {
    const ascending = end === undefined ? ascendingRows(runs) : ascendingFrom(end, list!, runs);
    return [{ request, ascending }];
  }
  const last = list?.parts.at(-1);
  if (list === undefined || typeof last !== "object" || list.parts.length < 2) return asWritten;
  const others: RowList = { kind: "list", parts: list.parts.slice(0, -1) };
  return [...await readsOf([others], countRows), { request: [last] }];
}

/**
 * Returns the end from which all parts of a list count, if there is one: the list then means the
 * same for any number of rows.
 */
function endOf({ parts }: RowList): "front" | "back" | undefined {
  if (parts.every((part) => typeof part === "number" ? part >= 0 : countsFromFront(part))) {
    return "front";
  }
  const isFromBack = parts.every((part) =>
    typeof part === "number" ? part < 0 : countsFromBack(part)
  );
  return isFromBack ? "back" : undefined;
}

/** Whether the rows of a slice are those of a longer source, as far as they exist. */
function countsFromFront(pick: RowPick): boolean {
  return pick.kind === "slice" && pick.last === Infinity && pick.drop === 0 &&
    (pick.step > 0 || (pick.step === -1 && pick.first < Infinity));
}

function countsFromBack(pick: RowPick): boolean {
  return pick.kind === "slice" && pick.first === Infinity && pick.skip === 0 &&
    (pick.step < 0 || (pick.step === 1 && pick.last < Infinity));
}

/** Whether rows never go back in the source, or never forward. */
function isOneWay(runs: readonly RowRun[]): boolean {
  const isUp = runs.every((run, index) => {
    const before = runs[index - 1];
    return (run.step > 0 || run.count === 1) &&
      (before === undefined || lastRow(before) <= run.start);
  });
  return isUp || runs.every((run, index) => {
    const before = runs[index - 1];
    return (run.step < 0 || run.count === 1) &&
      (before === undefined || lastRow(before) >= run.start);
  });
}

/** Returns the ascending rows of a source that has them all. */
function ascendingRows(runs: readonly RowRun[]): AscendingRows {
  const places = positionsOf(runs, new Float64Array(numRowsOf(runs)));
  const { rows, order } = sorted(places);
  return {
    request: requestOfRuns(runsOf(rows)),
    numRows: rows.length,
    missing: "last",
    order,
    places,
  };
}

/** Returns the ascending rows, counted from one end, of a source that may not have them all. */
function ascendingFrom(
  end: "front" | "back",
  { parts }: RowList,
  runs: readonly RowRun[],
): AscendingRows {
  const places = positionsOf(runs, new Float64Array(numRowsOf(runs)));
  if (end === "back") { for (let row = 0; row < places.length; row++) places[row]! -= MANY; }
  const { rows, order } = sorted(places);
  const single = parts.filter((part) => typeof part === "number");
  // If the farthest single row exists, so do all nearer ones.
  const farthest = single.length === 0
    ? undefined
    : single.reduce((left, right) => Math.abs(left + 0.5) > Math.abs(right + 0.5) ? left : right);
  const list = end === "front"
    ? [...certainParts(rows, farthest, end), ...uncertainParts(rows, farthest, end)]
    : [...uncertainParts(rows, farthest, end), ...certainParts(rows, farthest, end)];
  return {
    request: [{ kind: "list", parts: list }],
    numRows: rows.length,
    missing: end === "front" ? "last" : "first",
    order,
    places,
  };
}

/** Returns the parts for rows up to the farthest one that must exist. */
function certainParts(
  rows: Float64Array,
  farthest: number | undefined,
  end: "front" | "back",
): RowList["parts"] {
  if (farthest === undefined) return [];
  const index = lowerBound(rows, farthest);
  const nearer = end === "front" ? rows.subarray(0, index) : rows.subarray(index + 1);
  const parts = runsOf(nearer).map((run) => run.count === 1 ? run.start : sliceOf(run));
  return end === "front" ? [...parts, farthest] : [farthest, ...parts];
}

/** Returns the parts for rows beyond the farthest one that must exist; they are clamped. */
function uncertainParts(
  rows: Float64Array,
  farthest: number | undefined,
  end: "front" | "back",
): RowList["parts"] {
  const index = farthest === undefined ? -1 : lowerBound(rows, farthest);
  const beyond = end === "front"
    ? rows.subarray(index + 1)
    : rows.subarray(0, farthest === undefined ? rows.length : index);
  return runsOf(beyond).map(sliceOf);
}

/** Returns the part of a list for ascending positions of one sign. */
function sliceOf(run: RowRun): ReturnType<typeof rowSlice> {
  const stop = lastRow(run) + 1;
  // From the end, position 0 would be the front.
  return rowSlice(run.start, stop === 0 && run.start < 0 ? null : stop, run.step);
}

/** Returns ascending positions as runs; neighbours share a run. */
function runsOf(rows: Float64Array): RowRun[] {
  const runs: RowRun[] = [];
  for (const start of rows) addRun(runs, { start, step: 1, count: 1 });
  return runs;
}

/**
 * Returns positions in ascending order, each once, and for each original position its index among
 * them.
 */
function sorted(places: Float64Array): { readonly rows: Float64Array; readonly order: Int32Array } {
  const order = new Int32Array(places.length);
  const rows = new Float64Array(places.length);
  let count = 0;
  const indices = indicesInOrder(places);
  for (let next = 0; next < indices.length; next++) {
    const at = indices[next]!;
    const place = places[at]!;
    if (count === 0 || rows[count - 1] !== place) rows[count++] = place;
    order[at] = count - 1;
  }
  return { rows: rows.slice(0, count), order };
}

/** Returns the indices of at most 2^20 positions, by ascending position. */
function indicesInOrder(places: Float64Array): Uint32Array {
  let [least, greatest] = [Infinity, -Infinity];
  for (const place of places) {
    least = Math.min(least, place);
    greatest = Math.max(greatest, place);
  }
  if (greatest - least >= MOST_PACKED) {
    return Uint32Array.from(places.keys()).sort((left, right) => places[left]! - places[right]!);
  }
  // Sorting plain numbers is faster than sorting with a comparison function.
  const packed = places.map((place, at) => (place - least) * MAX_ROWS + at).sort();
  const indices = new Uint32Array(packed.length);
  for (let at = 0; at < packed.length; at++) {
    const value = packed[at]!;
    indices[at] = value - Math.floor(value / MAX_ROWS) * MAX_ROWS;
  }
  return indices;
}
