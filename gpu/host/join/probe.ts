/**
 * The rows of a join, in pieces: those of one probe batch, and those that the build side gives by
 * itself.
 *
 * @module
 */

import type { ResultLimits, ResultRows } from "../../backend.ts";
import { columnBytes, type HostColumn } from "../../column/column.ts";
import { takeRows } from "../../column/filter.ts";
import { gatherColumns } from "../../column/gather.ts";
import { fittingRows, longestRow, type Picked } from "../../column/row_bytes.ts";
import { givesProbeRows, payloadMayMiss } from "../../join_kind.ts";
import type { HostJoinTable } from "./join_table.ts";
import type { ProbeAnswer, ProbedPiece } from "./threads/probe_part.ts";
import {
  countMatches,
  expandMatches,
  pairMatches,
  type RowPairs,
  selectRows,
} from "./row_pairs.ts";

/**
 * Joins the rows of `columns` by `key`, as the kind of the table's join says: in probe order, the
 * matches of one row in build order; at least one result where the kind gives probe rows. Where
 * every probe row comes out exactly once, in one result, the columns are the same objects. Without
 * any column the rows are only counted, in one result.
 *
 * `answer` is what a thread has found already.
 */
export function* probeTable(
  table: HostJoinTable,
  key: HostColumn,
  columns: readonly HostColumn[],
  limits: ResultLimits,
  answer: ProbeAnswer | null = null,
): Generator<ResultRows, void, void> {
  const { kind } = table;
  if (answer?.pieces) {
    yield* takeAnswered(table, columns, answer.pieces, key.length);
    return;
  }
  const firstRows = answer?.firstRows ?? table.match(key);
  if (!givesProbeRows(kind)) return;
  if (kind.matchedRows !== "each") {
    yield* takePieces(columns, selectRows(firstRows, kind), key.length, limits);
    return;
  }
  if (columns.length === 0 && table.payload.length === 0) {
    yield { numRows: countPairs(table, firstRows), columns: [] };
    return;
  }
  const most = Math.max(1, Math.floor(limits.rows));
  let longest: number | undefined;
  for (const pairs of pairsOf(table, firstRows, most)) {
    // All rows of the batch are not larger than it is; repeated ones are as large as they come.
    const probeBytes = pairs.ascending
      ? sumBytes(columns)
      : most * (longest ??= longestRow(columns));
    const isSmall = probeBytes + most * table.longestRow <= limits.bytes;
    const pieceLimits = { rows: most, bytes: isSmall ? Infinity : limits.bytes };
    yield* gatherPieces(table, columns, pairs, pieceLimits);
  }
}

/**
 * The rows of the pieces into which a thread is to cut the pairs of a batch, so that no piece can
 * exceed the limits; 0 where the main thread has to cut them, or where no pairs come out.
 */
export function answeredRows(
  table: HostJoinTable,
  columns: readonly HostColumn[],
  limits: ResultLimits,
): number {
  const isCounted = columns.length === 0 && table.payload.length === 0;
  if (table.kind.matchedRows !== "each" || isCounted) return 0;
  const most = Math.max(1, Math.floor(limits.rows));
  const repeated = table.groups === null ? 0 : most * longestRow(columns);
  const probeBytes = Math.max(sumBytes(columns), repeated);
  return probeBytes + most * table.longestRow <= limits.bytes ? most : 0;
}

/** The rows of pairs that a thread has found. */
function* takeAnswered(
  table: HostJoinTable,
  columns: readonly HostColumn[],
  pieces: readonly ProbedPiece[],
  numProbeRows: number,
): Generator<ResultRows, void, void> {
  const mayMiss = payloadMayMiss(table.kind);
  for (const piece of pieces) {
    const { numRows, ascending, probeRows } = piece;
    const probed = probeRows === null
      ? columns
      : ascending
      ? takeRows(columns, probeRows, numProbeRows)
      : gatherColumns(columns, probeRows, { mayMiss: false });
    yield { numRows, columns: [...probed, ...table.payloadOf(piece, mayMiss)] };
  }
}

/** The rows that the build side gives by itself, with its payload and then its last payload. */
export function* lastRowsOf(
  table: HostJoinTable,
  limits: ResultLimits,
): Generator<ResultRows, void, void> {
  if (table.kind.lastRows === "none") return;
  const columns = [...table.payload, ...table.lastPayload];
  yield* takePieces(columns, table.lastRows(), table.numRows, limits);
}

/** The rows of an ascending selection, at least one result. */
function* takePieces(
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
  const pieceLimits = { rows: limits.rows, bytes: isSmall ? Infinity : limits.bytes };
  for (
    const [start, stop] of piecesOf([{ columns, rows: selection }], selection.length, pieceLimits)
  ) {
    const rows = selection.subarray(start, stop);
    yield { numRows: stop - start, columns: takeRows(columns, rows, numRows) };
  }
}

/** The ranges of the rows of a result that keep the limits; at least one. */
function* piecesOf(
  parts: readonly Picked[],
  numRows: number,
  { rows, bytes }: ResultLimits,
): Generator<readonly [start: number, stop: number], void, void> {
  const most = Math.max(1, Math.floor(rows));
  let start = 0;
  do {
    const last = Math.min(start + most, numRows);
    const stop = bytes === Infinity ? last : fittingRows(parts, start, last, bytes);
    yield [start, stop];
    start = stop;
  } while (start < numRows);
}

function sumBytes(columns: readonly HostColumn[]): number {
  return columns.reduce((sum, column) => sum + columnBytes(column), 0);
}

/** How many pairs there are. */
function countPairs({ groups, kind }: HostJoinTable, firstRows: Int32Array): number {
  if (groups !== null) return countMatches(groups, firstRows, kind).numPairs;
  return kind.unmatchedRows > 0
    ? firstRows.length
    : firstRows.reduce((sum, row) => sum + (~row >>> 31), 0);
}

/** All pairs at once where no probe row can have several, else `maxRows` at a time. */
function* pairsOf(
  { groups, kind }: HostJoinTable,
  firstRows: Int32Array,
  maxRows: number,
): Generator<RowPairs, void, void> {
  if (groups !== null) {
    const { numPairs, repeats } = countMatches(groups, firstRows, kind);
    if (repeats) {
      yield* expandMatches(groups, firstRows, kind, numPairs, maxRows);
      return;
    }
  }
  yield pairMatches(firstRows, kind);
}

/** Pairs as rows, at least one result. */
function* gatherPieces(
  table: HostJoinTable,
  columns: readonly HostColumn[],
  pairs: RowPairs,
  limits: ResultLimits,
): Generator<ResultRows, void, void> {
  const mayMiss = payloadMayMiss(table.kind);
  const parts = [
    { columns, rows: pairs.probeRows },
    { columns: table.payload, rows: pairs.buildRows },
  ];
  for (const [start, stop] of piecesOf(parts, pairs.probeRows.length, limits)) {
    const probeRows = pairs.probeRows.subarray(start, stop);
    const buildRows = pairs.buildRows.subarray(start, stop);
    const probed = pairs.ascending
      ? takeRows(columns, probeRows, pairs.numProbeRows)
      : gatherColumns(columns, probeRows, { mayMiss: false });
    const payload = table.gatherPayload(buildRows, mayMiss);
    yield { numRows: stop - start, columns: [...probed, ...payload] };
  }
}
