/**
 * Rows on the host, and functions that measure, cut, copy and free them.
 *
 * @module
 */

import { columnBytes, type HostColumn } from "../../gpu/column/column.ts";
import { concatColumns } from "../../gpu/column/concat.ts";
import { gatherColumns } from "../../gpu/column/gather.ts";
import { sliceColumn } from "../../gpu/column/slice.ts";

/** Columns on the host, and their number of rows. */
export interface HostRows {
  readonly columns: readonly HostColumn[];
  readonly numRows: number;
}

/** Returns the number of bytes of rows. */
export function rowsBytes({ columns }: HostRows): number {
  return columns.reduce((sum, column) => sum + columnBytes(column), 0);
}

/** Returns the number of bytes of the key of rows; 0 if the key is one of their columns. */
export function keyBytes(
  rows: HostRows,
  keyOf: (rows: HostRows) => HostColumn,
): number {
  const key = keyOf(rows);
  return rows.columns.includes(key) ? 0 : columnBytes(key);
}

/** Returns the rows [start, stop), which share the buffers. */
export function sliceRows({ columns }: HostRows, start: number, stop: number): HostRows {
  return {
    columns: columns.map((column) => sliceColumn(column, start, stop)),
    numRows: stop - start,
  };
}

/** Returns the rows of a selection without -1, in new buffers. */
export function gatherRows({ columns }: HostRows, selection: Int32Array): HostRows {
  return {
    columns: gatherColumns(columns, selection, { mayMiss: false }),
    numRows: selection.length,
  };
}

/** Concatenates one or more batches of rows. */
export function concatRows(batches: readonly HostRows[]): HostRows {
  const [first] = batches;
  if (first === undefined) throw new TypeError("Cannot concatenate zero batches");
  return {
    columns: first.columns.map((_, index) =>
      concatColumns(batches.map((rows) => rows.columns[index]!))
    ),
    numRows: batches.reduce((sum, { numRows }) => sum + numRows, 0),
  };
}

/**
 * Frees the memory of rows immediately. The garbage collector does not know the operator's limit and would
 * let several times as much accumulate. Nothing else may use these buffers.
 */
export function freeRows({ columns }: HostRows): void {
  columns.forEach(freeColumn);
}

function freeColumn({ data, offsets, validity, children }: HostColumn): void {
  for (const buffer of [data.buffer, offsets?.buffer, validity?.buffer]) {
    // Empty buffers may be constants, or have been transferred.
    if (buffer instanceof ArrayBuffer && buffer.byteLength > 0) buffer.transfer(0);
  }
  children.forEach(freeColumn);
}

/** Returns a batch without rows, with columns of the same types. */
export function emptyRows(rows: HostRows): HostRows {
  return sliceRows(rows, 0, 0);
}

/** Yields rows in batches of at most about `numBytes`, by the average size of a row. */
export function* cutRows(rows: HostRows, numBytes: number): Generator<HostRows, void, void> {
  const each = Math.max(1, Math.floor(numBytes * rows.numRows / Math.max(1, rowsBytes(rows))));
  if (each >= rows.numRows) {
    yield rows;
    return;
  }
  for (let start = 0; start < rows.numRows; start += each) {
    yield sliceRows(rows, start, Math.min(start + each, rows.numRows));
  }
}
