/**
 * Which probe row meets which build row.
 *
 * @module
 */

import type { JoinKind } from "../../join_kind.ts";

/** For each first row of a key, all rows with that key, in the order of the build side. */
export interface RowGroups {
  /** The rows of the key that row r has first: `rows[starts[r]]` to before `rows[starts[r + 1]]`. */
  readonly starts: Int32Array;
  readonly rows: Int32Array;
}

/** Rows of a join, as a pair of row numbers each. */
export interface RowPairs {
  readonly probeRows: Int32Array;
  /** -1 where the probe row has no match. */
  readonly buildRows: Int32Array;
  /** Rows of the probe batch. */
  readonly numProbeRows: number;
  /** Whether no probe row occurs twice. */
  readonly ascending: boolean;
}

/** How many pairs a batch gives. */
interface MatchCount {
  readonly numPairs: number;
  /** Whether some probe row meets more than one build row. */
  readonly repeats: boolean;
}

/** Counts the pairs of a batch, before any of them is made. */
export function countMatches(
  { starts }: RowGroups,
  firstRows: Int32Array,
  { unmatchedRows }: Pick<JoinKind, "unmatchedRows">,
): MatchCount {
  let numPairs = 0;
  let most = 0;
  for (let row = 0; row < firstRows.length; row++) {
    const first = firstRows[row]!;
    const matches = first < 0 ? unmatchedRows : starts[first + 1]! - starts[first]!;
    numPairs += matches;
    if (matches > most) most = matches;
  }
  return { numPairs, repeats: most > 1 };
}

/** The pairs of a batch in which every probe row meets one build row at most. */
export function pairMatches(
  firstRows: Int32Array,
  { unmatchedRows }: Pick<JoinKind, "unmatchedRows">,
): RowPairs {
  const numProbeRows = firstRows.length;
  const probeRows = new Int32Array(numProbeRows);
  if (unmatchedRows > 0) {
    for (let row = 0; row < numProbeRows; row++) probeRows[row] = row;
    return { probeRows, buildRows: firstRows, numProbeRows, ascending: true };
  }
  const buildRows = new Int32Array(numProbeRows);
  let count = 0;
  // Every row is written; only a match moves the place of the next write.
  for (let row = 0; row < numProbeRows; row++) {
    const found = firstRows[row]!;
    probeRows[count] = row;
    buildRows[count] = found;
    count += ~found >>> 31;
  }
  return {
    probeRows: probeRows.subarray(0, count),
    buildRows: buildRows.subarray(0, count),
    numProbeRows,
    ascending: true,
  };
}

/**
 * The `numPairs` pairs of a batch, `maxRows` at a time; the matches of one probe row may fall into
 * several parts.
 */
export function* expandMatches(
  { starts, rows }: RowGroups,
  firstRows: Int32Array,
  { unmatchedRows }: Pick<JoinKind, "unmatchedRows">,
  numPairs: number,
  maxRows: number,
): Generator<RowPairs, void, void> {
  let row = 0;
  // Matches of `row` that earlier parts have given.
  let given = 0;
  for (let left = numPairs; left > 0;) {
    const size = Math.min(maxRows, left);
    const probeRows = new Int32Array(size);
    const buildRows = new Int32Array(size);
    for (let count = 0; count < size;) {
      const first = firstRows[row]!;
      if (first < 0) {
        if (unmatchedRows > 0) {
          probeRows[count] = row;
          buildRows[count++] = -1;
        }
        row++;
        continue;
      }
      const start = starts[first]! + given;
      const groupStop = starts[first + 1]!;
      const stop = Math.min(groupStop, start + size - count);
      for (let at = start; at < stop; at++) {
        probeRows[count] = row;
        buildRows[count++] = rows[at]!;
      }
      given += stop - start;
      if (stop === groupStop) {
        row++;
        given = 0;
      }
    }
    left -= size;
    yield { probeRows, buildRows, numProbeRows: firstRows.length, ascending: false };
  }
}

/** The probe rows with a match or those without, ascending, for kinds that give no pairs. */
export function selectRows(
  firstRows: Int32Array,
  { matchedRows }: Pick<JoinKind, "matchedRows">,
): Int32Array {
  const rows = new Int32Array(firstRows.length);
  // 0 where those with a match are wanted, -1 where the others are.
  const flip = matchedRows === "once" ? 0 : -1;
  let count = 0;
  for (let row = 0; row < firstRows.length; row++) {
    rows[count] = row;
    count += ~(firstRows[row]! ^ flip) >>> 31;
  }
  return rows.subarray(0, count);
}
