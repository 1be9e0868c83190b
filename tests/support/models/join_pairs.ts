/** The rows of each kind of join: the model of all tests of joins by keys. DuckDB and Polars judge it. */

import type { JoinHow } from "../../../gpu/join_kind.ts";

/** A row of a result: its rows on both sides; null for none. */
export type RowPair = readonly [left: number | null, right: number | null];

/** Returns the right rows that each left row matches; a null key matches nothing. */
export function matchesOf<Key>(
  left: readonly (Key | null)[],
  right: readonly (Key | null)[],
): number[][] {
  const byKey = new Map<Key, number[]>();
  right.forEach((key, row) => {
    if (key === null) return;
    const rows = byKey.get(key);
    if (rows === undefined) byKey.set(key, [row]);
    else rows.push(row);
  });
  return left.map((key) => key === null ? [] : byKey.get(key) ?? []);
}

/** Returns the pairs of a join, in the order that `join` states, from the matches of each left row. */
export function joinPairs(
  matches: readonly (readonly number[])[],
  numRight: number,
  how: JoinHow,
): RowPair[] {
  const isMatched = new Set(matches.flat());
  const rightRows = (matched: boolean): RowPair[] =>
    Array.from({ length: numRight }, (_, row) => row)
      .filter((row) => isMatched.has(row) === matched).map((row) => [null, row]);
  const leftRows = (matched: boolean): RowPair[] =>
    [...matches.keys()].filter((row) => (matches[row]!.length > 0) === matched)
      .map((row) => [row, null]);
  switch (how) {
    case "semi":
      return leftRows(true);
    case "anti":
      return leftRows(false);
    case "right-semi":
      return rightRows(true);
    case "right-anti":
      return rightRows(false);
  }
  const keepsLeft = how === "left" || how === "full";
  const pairs = matches.flatMap((rows, row): RowPair[] =>
    rows.length === 0 && keepsLeft ? [[row, null]] : rows.map((other) => [row, other])
  );
  return how === "right" || how === "full" ? [...pairs, ...rightRows(false)] : pairs;
}
