/**
 * The rows of a join of one probe batch, in pieces.
 *
 * @module
 */

import type { ResultRows } from "../../backend.ts";
import type { HostColumn } from "../../column/column.ts";
import { takeRows } from "../../column/filter.ts";
import { type JoinHow, type JoinKind, joinKinds } from "../../join_kind.ts";
import { gatherColumns } from "../../column/gather.ts";
import type { HostJoinTable } from "./join_table.ts";
import { countMatches, expandMatches, pairMatches, type RowPairs } from "./row_pairs.ts";

/**
 * Joins the rows of `columns` by `key`: in probe order, the matches of one row in build order; at
 * least one result, each of at most `maxRows` rows. Where every probe row comes out exactly once, in
 * one result, the columns are the same objects. Without any column the rows are only counted, in one
 * result.
 */
export function* probeTable(
  table: HostJoinTable,
  key: HostColumn,
  columns: readonly HostColumn[],
  how: JoinHow,
  maxRows: number,
): Generator<ResultRows, void, void> {
  const kind = joinKinds[how];
  const firstRows = table.match(key);
  if (columns.length === 0 && table.payload.length === 0) {
    yield { numRows: countPairs(table, firstRows, kind), columns: [] };
    return;
  }
  const most = Math.max(1, Math.floor(maxRows));
  for (const pairs of pairsOf(table, firstRows, kind, most)) {
    const numRows = pairs.probeRows.length;
    let start = 0;
    do {
      const stop = Math.min(start + most, numRows);
      yield gatherPairs(table, columns, kind, pairs, start, stop);
      start = stop;
    } while (start < numRows);
  }
}

/** How many pairs there are. */
function countPairs({ groups }: HostJoinTable, firstRows: Int32Array, kind: JoinKind): number {
  if (groups !== null) return countMatches(groups, firstRows, kind).numPairs;
  return kind.unmatchedRows > 0
    ? firstRows.length
    : firstRows.reduce((sum, row) => sum + (~row >>> 31), 0);
}

/** All pairs at once where no probe row can have several, else `maxRows` at a time. */
function* pairsOf(
  { groups }: HostJoinTable,
  firstRows: Int32Array,
  kind: JoinKind,
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

/** The pairs [start, stop) as rows. */
function gatherPairs(
  table: HostJoinTable,
  columns: readonly HostColumn[],
  kind: JoinKind,
  pairs: RowPairs,
  start: number,
  stop: number,
): ResultRows {
  const probeRows = pairs.probeRows.subarray(start, stop);
  const buildRows = pairs.buildRows.subarray(start, stop);
  const probed = pairs.ascending
    ? takeRows(columns, probeRows, pairs.numProbeRows)
    : gatherColumns(columns, probeRows, { mayMiss: false });
  const payload = gatherColumns(table.payload, buildRows, { mayMiss: kind.payloadMayMiss });
  return { numRows: stop - start, columns: [...probed, ...payload] };
}
