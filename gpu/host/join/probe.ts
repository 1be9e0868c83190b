/**
 * The rows of a join: those of one probe batch, and the unmatched build rows.
 *
 * @module
 */

import type { ResultLimits, ResultRows } from "../../backend.ts";
import { columnBytes, type HostColumn } from "../../column/column.ts";
import { takeRows } from "../../column/filter.ts";
import { gatherColumn, gatherColumns } from "../../column/gather.ts";
import { cutRows, longestRow, type Picked, type RowsOfResult } from "../../column/row_bytes.ts";
import { type RowSpan, textWindows, windowOf } from "../../column/text_windows.ts";
import { givesProbeRows, payloadMayMiss } from "../../join_kind.ts";
import { hostColumn, type HostJoinTable, type Probed } from "./join_table.ts";
import type { ProbedRows } from "./probe_answer.ts";
import {
  countMatches,
  expandMatches,
  pairMatches,
  type RowPairs,
  selectRows,
} from "./row_pairs.ts";

/**
 * The most rows and bytes of keys that kernels read at a time, which keeps the memory of a thread
 * small.
 */
const WINDOW_ROWS = 1 << 18;
const WINDOW_BYTES = 64 << 20;

/**
 * Joins the rows of `columns` by `key`, as the kind of the table's join says: in probe order, the
 * matches of a row in build order. Yields at least one result if probe rows come out. If every
 * probe row comes out exactly once, in one result, the columns are the same objects. Rows without
 * columns are only counted, in one result.
 *
 * `probed` is the answer of a thread.
 */
export function* probeTable(
  table: HostJoinTable,
  key: HostColumn,
  columns: readonly HostColumn[],
  limits: ResultLimits,
  probed: Probed | null = null,
): Generator<ResultRows, void, void> {
  if (probed !== null) {
    yield* resultsOf(table, key, columns, limits, probed);
    return;
  }
  const all = [key, ...columns];
  const windows = textWindows(all, key.length).flatMap((window) => shortWindows(key, window));
  const isCounted = givesCounts(table, columns);
  let numCounted = 0;
  let hasResults = false;
  for (const [index, window] of windows.entries()) {
    const [ownKey, ...own] = windows.length === 1
      ? [windowOf(key, window), ...columns]
      : all.map((column) => windowOf(column, window)) as [HostColumn, ...HostColumn[]];
    const part = table.probe(ownKey!, own, isCounted ? 0 : answeredRows(table, own, limits));
    for (const result of resultsOf(table, ownKey!, own, limits, part)) {
      const isNeeded: boolean = result.numRows > 0 || (index === windows.length - 1 && !hasResults);
      if (isCounted) numCounted += result.numRows;
      else if (isNeeded) yield result;
      hasResults ||= isNeeded;
    }
  }
  if (isCounted && givesProbeRows(table.kind)) yield { numRows: numCounted, columns: [] };
}

/**
 * Cuts a window into windows with few rows and few bytes of keys. A single row may have more bytes.
 */
function shortWindows(key: HostColumn, [start, stop]: RowSpan): RowSpan[] {
  const numRows = stop - start;
  const numBytes = (key.offsets?.[stop] ?? 0) - (key.offsets?.[start] ?? 0);
  if (numRows <= 1 || (numRows <= WINDOW_ROWS && numBytes <= WINDOW_BYTES)) return [[start, stop]];
  const middle = start + (numRows <= WINDOW_ROWS ? numRows >> 1 : WINDOW_ROWS);
  return [...shortWindows(key, [start, middle]), ...shortWindows(key, [middle, stop])];
}

/** Yields the results of a batch whose matches are known. */
function* resultsOf(
  table: HostJoinTable,
  key: HostColumn,
  columns: readonly HostColumn[],
  limits: ResultLimits,
  { answer: { found, results }, places }: Probed,
): Generator<ResultRows, void, void> {
  const { kind } = table;
  if (!givesProbeRows(kind)) return;
  if (results !== null) {
    const mayMiss = payloadMayMiss(kind);
    for (const result of results) {
      const probeColumns = probeColumnsOf(result, columns, places, key.length);
      const payload = kind.matchedRows === "each" ? table.payloadOf(result, mayMiss) : [];
      yield { numRows: result.numRows, columns: [...probeColumns, ...payload] };
    }
    return;
  }
  const rows = found!;
  if (kind.matchedRows !== "each") {
    yield* takeResults(columns, selectRows(rows, kind), key.length, limits);
    return;
  }
  if (givesCounts(table, columns)) {
    yield { numRows: countPairs(table, rows), columns: [] };
    return;
  }
  const most = Math.max(1, Math.floor(limits.rows));
  let longest: number | undefined;
  for (const pairs of pairsOf(table, rows, most)) {
    // Distinct rows are at most as large as the batch; repeated rows may all be the largest one.
    const probeBytes = pairs.ascending
      ? sumBytes(columns)
      : most * (longest ??= longestRow(columns));
    const isSmall = probeBytes + most * table.longestRow <= limits.bytes;
    const resultLimits = { rows: most, bytes: isSmall ? Infinity : limits.bytes };
    yield* gatherResults(table, columns, pairs, resultLimits);
  }
}

/**
 * Returns the columns of the batch in a result: the copied ones, and those that kernels do not copy.
 */
function probeColumnsOf(
  { columns: copied, probeRows, ascending, numRows }: ProbedRows,
  columns: readonly HostColumn[],
  places: Probed["places"],
  numProbeRows: number,
): readonly HostColumn[] {
  if (copied === null) return columns;
  return columns.map((column, index) => {
    const place = places[index]!;
    if (place >= 0) return hostColumn(column, copied[place]!, numRows);
    return ascending
      ? takeRows([column], probeRows!, numProbeRows)[0]!
      : gatherColumn(column, probeRows!, { mayMiss: false });
  });
}

/** Whether rows are only counted, since the result has no columns. */
function givesCounts({ payload }: HostJoinTable, columns: readonly HostColumn[]): boolean {
  return columns.length === 0 && payload.length === 0;
}

/**
 * Returns the number of rows of the results that kernels return, such that no result can exceed the
 * limits. Returns 0 if the main thread has to cut them, or if no rows come out.
 */
export function answeredRows(
  table: HostJoinTable,
  columns: readonly HostColumn[],
  limits: ResultLimits,
): number {
  if (!givesProbeRows(table.kind) || givesCounts(table, columns)) return 0;
  const most = Math.max(1, Math.floor(limits.rows));
  const repeated = table.groups === null ? 0 : most * longestRow(columns);
  const probeBytes = Math.max(sumBytes(columns), repeated);
  const payloadBytes = table.kind.matchedRows === "each" ? most * table.longestRow : 0;
  return probeBytes + payloadBytes <= limits.bytes ? most : 0;
}

/** Yields the build rows that come out at the end: the payload, then `buildOnlyPayload`. */
export function* buildOnlyRowsOf(
  table: HostJoinTable,
  limits: ResultLimits,
): Generator<ResultRows, void, void> {
  if (table.kind.buildOnlyRows === "none") return;
  const columns = [...table.payload, ...table.buildOnlyPayload];
  yield* takeResults(columns, table.buildOnlyRows(), table.numRows, limits);
}

/** Yields the rows of an ascending selection, in at least one result. */
function* takeResults(
  columns: readonly HostColumn[],
  selection: Int32Array,
  numRows: number,
  limits: ResultLimits,
): Generator<ResultRows, void, void> {
  if (columns.length === 0) {
    yield { numRows: selection.length, columns: [] };
    return;
  }
  const isSmall = sumBytes(columns) <= limits.bytes;
  const resultLimits = { rows: limits.rows, bytes: isSmall ? Infinity : limits.bytes };
  const parts = [{ columns, rows: selection }];
  for (const { start, stop } of rangesOf(parts, selection.length, resultLimits)) {
    const rows = selection.subarray(start, stop);
    yield { numRows: stop - start, columns: takeRows(columns, rows, numRows) };
  }
}

/** Yields ranges of the rows of a result within the limits; at least one. */
function* rangesOf(
  parts: readonly Picked[],
  numRows: number,
  limits: ResultLimits,
): Generator<RowsOfResult, void, void> {
  if (numRows === 0) yield { start: 0, stop: 0 };
  else yield* cutRows(parts, numRows, limits);
}

function sumBytes(columns: readonly HostColumn[]): number {
  return columns.reduce((sum, column) => sum + columnBytes(column), 0);
}

/** Returns the number of pairs. */
function countPairs({ groups, kind }: HostJoinTable, found: Int32Array): number {
  if (groups !== null) return countMatches(groups, found, kind).numPairs;
  return kind.unmatchedRows > 0
    ? found.length
    : found.reduce((sum, row) => sum + (row === 0 ? 0 : 1), 0);
}

/** Yields all pairs together if no probe row has several; otherwise `maxRows` pairs at a time. */
function* pairsOf(
  { groups, kind }: HostJoinTable,
  found: Int32Array,
  maxRows: number,
): Generator<RowPairs, void, void> {
  if (groups !== null) {
    const { numPairs, repeats } = countMatches(groups, found, kind);
    if (repeats) {
      yield* expandMatches(groups, found, kind, numPairs, maxRows);
      return;
    }
  }
  yield pairMatches(found, kind);
}

/** Yields pairs as rows, in at least one result. */
function* gatherResults(
  table: HostJoinTable,
  columns: readonly HostColumn[],
  pairs: RowPairs,
  limits: ResultLimits,
): Generator<ResultRows, void, void> {
  const mayMiss = payloadMayMiss(table.kind);
  const allBuildRows = pairs.found.map((row) => row - 1);
  const parts = [
    { columns, rows: pairs.probeRows },
    { columns: table.payload, rows: allBuildRows },
  ];
  for (const { start, stop } of rangesOf(parts, pairs.probeRows.length, limits)) {
    const probeRows = pairs.probeRows.subarray(start, stop);
    const buildRows = allBuildRows.subarray(start, stop);
    const probed = pairs.ascending
      ? takeRows(columns, probeRows, pairs.numProbeRows)
      : gatherColumns(columns, probeRows, { mayMiss: false });
    const payload = gatherColumns(table.payload, buildRows, { mayMiss });
    yield { numRows: stop - start, columns: [...probed, ...payload] };
  }
}
