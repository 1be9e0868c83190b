/**
 * The pairs of probe rows and build rows. A match is a build row + 1, or 0.
 *
 * @module
 */

import type { JoinKind } from "../../join_kind.ts";

/** All rows of each key, in the order of the build side. */
export interface RowGroups {
  /**
   * If `r` is the first row with a key, its rows are `rows[starts[r]]` to before
   * `rows[starts[r + 1]]`.
   */
  readonly starts: Int32Array;
  readonly rows: Int32Array;
}

/** Pairs of row numbers. */
export interface RowPairs {
  readonly probeRows: Int32Array;
  /** The row + 1 of the build side; 0 for an unmatched probe row. */
  readonly found: Int32Array;
  /** The number of rows of the probe batch. */
  readonly numProbeRows: number;
  /** Whether no probe row occurs twice. */
  readonly ascending: boolean;
}

/** The number of pairs of a batch. */
interface MatchCount {
  readonly numPairs: number;
  /** Whether some probe row matches several build rows. */
  readonly repeats: boolean;
}

/** Counts the pairs of a batch. */
export function countMatches(
  { starts }: RowGroups,
  found: Int32Array,
  { unmatchedRows }: Pick<JoinKind, "unmatchedRows">,
): MatchCount {
  let numPairs = 0;
  let most = 0;
  for (let row = 0; row < found.length; row++) {
    const next = found[row]!;
    const matches = next === 0 ? unmatchedRows : starts[next]! - starts[next - 1]!;
    numPairs += matches;
    if (matches > most) most = matches;
  }
  return { numPairs, repeats: most > 1 };
}

/** Returns the pairs of a batch in which every probe row matches at most one build row. */
export function pairMatches(
  found: Int32Array,
  { unmatchedRows }: Pick<JoinKind, "unmatchedRows">,
): RowPairs {
  const numProbeRows = found.length;
  const probeRows = new Int32Array(numProbeRows);
  if (unmatchedRows > 0) {
    for (let row = 0; row < numProbeRows; row++) probeRows[row] = row;
    return { probeRows, found, numProbeRows, ascending: true };
  }
  const kept = new Int32Array(numProbeRows);
  let count = 0;
  // Writes every row; only a match advances the place of the next write.
  for (let row = 0; row < numProbeRows; row++) {
    const next = found[row]!;
    probeRows[count] = row;
    kept[count] = next;
    count += next === 0 ? 0 : 1;
  }
  return {
    probeRows: probeRows.subarray(0, count),
    found: kept.subarray(0, count),
    numProbeRows,
    ascending: true,
  };
}

/**
 * Yields the `numPairs` pairs of a batch, `maxRows` at a time. The matches of one probe row may be
 * in several lists.
 */
export function* expandMatches(
  { starts, rows }: RowGroups,
  found: Int32Array,
  { unmatchedRows }: Pick<JoinKind, "unmatchedRows">,
  numPairs: number,
  maxRows: number,
): Generator<RowPairs, void, void> {
  let row = 0;
  // The number of matches of `row` in earlier lists.
  let given = 0;
  for (let left = numPairs; left > 0;) {
    const size = Math.min(maxRows, left);
    const probeRows = new Int32Array(size);
    const kept = new Int32Array(size);
    for (let count = 0; count < size;) {
      const next = found[row]!;
      if (next === 0) {
        if (unmatchedRows > 0) probeRows[count++] = row;
        row++;
        continue;
      }
      const start = starts[next - 1]! + given;
      const groupStop = starts[next]!;
      const stop = Math.min(groupStop, start + size - count);
      for (let at = start; at < stop; at++) {
        probeRows[count] = row;
        kept[count++] = rows[at]! + 1;
      }
      given += stop - start;
      if (stop === groupStop) {
        row++;
        given = 0;
      }
    }
    left -= size;
    yield { probeRows, found: kept, numProbeRows: found.length, ascending: false };
  }
}

/**
 * Returns the probe rows with a match, or those without one, ascending, for kinds without pairs.
 */
export function selectRows(
  found: Int32Array,
  { matchedRows }: Pick<JoinKind, "matchedRows">,
): Int32Array {
  const rows = new Int32Array(found.length);
  let count = 0;
  for (let row = 0; row < found.length; row++) {
    rows[count] = row;
    count += (found[row] !== 0) === (matchedRows === "once") ? 1 : 0;
  }
  return rows.subarray(0, count);
}
