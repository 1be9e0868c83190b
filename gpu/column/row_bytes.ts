/**
 * Measures single rows in bytes, to limit a result before it is created.
 *
 * @module
 */

import { byteWidth, type HostColumn } from "./column.ts";

/**
 * Returns the bytes before a row, so that the difference of two rows is the bytes between them:
 * data and offsets, without validity. Bits of booleans count as bytes.
 */
export function bytesBefore(column: HostColumn, row: number): number {
  const { type, offsets, children } = column;
  switch (type.kind) {
    case "bool":
      return row;
    case "string":
      return 4 * row + offsets![row]!;
    case "list":
      return 4 * row + bytesBefore(children[0]!, offsets![row]!);
    case "struct":
      return children.reduce((sum, child) => sum + bytesBefore(child, row), 0);
    default:
      return row * byteWidth(type);
  }
}

/** Returns the bytes of the largest row; 0 without rows. */
export function longestRow(columns: readonly HostColumn[]): number {
  const numRows = columns[0]?.length ?? 0;
  if (numRows === 0) return 0;
  const fixed = fixedBytes(columns);
  const uneven = columns.filter((column) => !isFixed(column));
  const [first] = uneven;
  if (first === undefined) return fixed;
  if (uneven.length === 1 && first.type.kind === "string") return fixed + 4 + longestText(first);
  let longest = 0;
  for (let row = 0; row < numRows; row++) {
    const bytes = fixed + rowBytes(uneven, row);
    if (bytes > longest) longest = bytes;
  }
  return longest;
}

/** Returns the bytes of the longest text of a column; 0 without rows. */
export function longestText({ offsets, length }: HostColumn): number {
  let longest = 0;
  for (let row = 0; row < length; row++) {
    const size = offsets![row + 1]! - offsets![row]!;
    if (size > longest) longest = size;
  }
  return longest;
}

/** A range [start, stop) of the rows of a result. */
export interface RowsOfResult {
  readonly start: number;
  readonly stop: number;
}

/** A part of a result: some columns, and the rows taken from them; -1 is a row of nulls. */
export interface Picked {
  readonly columns: readonly HostColumn[];
  readonly rows: Int32Array;
}

/**
 * Divides the rows of a result into ranges within limits, at least one row each; yields none if there
 * are no rows. `longest` are the bytes that no row of all parts exceeds, if known: they spare the
 * measuring of rows that fit in any case.
 */
export function* cutRows(
  parts: readonly Picked[],
  numRows: number,
  limits: { readonly rows: number; readonly bytes: number },
  longest = Infinity,
): Generator<RowsOfResult, void, void> {
  const most = Math.max(1, Math.floor(limits.rows));
  for (let start = 0; start < numRows;) {
    const last = Math.min(start + most, numRows);
    const stop = (last - start) * longest <= limits.bytes
      ? last
      : fittingRows(parts, start, last, limits.bytes);
    yield { start, stop };
    start = stop;
  }
}

/**
 * Returns the end of the most rows from `start` on, up to `stop`, whose parts have at most `bytes`
 * together; at least one row.
 */
function fittingRows(
  parts: readonly Picked[],
  start: number,
  stop: number,
  bytes: number,
): number {
  const fixed = parts.reduce((sum, { columns }) => sum + fixedBytes(columns), 0);
  const uneven = parts.map(({ columns, rows }) => ({
    columns: columns.filter((column) => column.length > 0 && !isFixed(column)),
    rows,
  }));
  let left = bytes;
  for (let at = start; at < stop; at++) {
    left -= fixed;
    for (const { columns, rows } of uneven) {
      if (rows[at]! >= 0) left -= rowBytes(columns, rows[at]!);
    }
    if (left < 0) return Math.max(at, start + 1);
  }
  return stop;
}

function rowBytes(columns: readonly HostColumn[], row: number): number {
  let bytes = 0;
  for (const column of columns) bytes += bytesBefore(column, row + 1) - bytesBefore(column, row);
  return bytes;
}

/** Returns the bytes that every row has in columns whose rows all have the same size. */
function fixedBytes(columns: readonly HostColumn[]): number {
  return columns.reduce((sum, column) => isFixed(column) ? sum + bytesBefore(column, 1) : sum, 0);
}

/** Whether all rows of a column have the same size. */
function isFixed({ type, children }: HostColumn): boolean {
  if (type.kind === "struct") return children.every(isFixed);
  return type.kind !== "string" && type.kind !== "list";
}
