/**
 * Joins the texts of a column into one text.
 *
 * @module
 */

import { type HostColumn, isNull, type Offsets } from "./column.ts";
import { newOffsets } from "./offsets.ts";

/**
 * Joins the rows of a string column into one row, with the separator between them. Leaves out
 * nulls; if no row is left, the result is null.
 */
export function joinText(column: HostColumn, separator: Uint8Array): HostColumn {
  const rows = presentRows(column);
  const offsets = column.offsets ?? new Int32Array(column.length + 1);
  const dataBytes = textBytes(offsets, rows, separator.length);
  const data = new Uint8Array(dataBytes);
  let size = 0;
  for (const [index, row] of rows.entries()) {
    if (index > 0) {
      data.set(separator, size);
      size += separator.length;
    }
    const text = column.data.subarray(offsets[row], offsets[row + 1]);
    data.set(text, size);
    size += text.length;
  }
  const isNull = rows.length === 0;
  const ends = newOffsets(1, dataBytes);
  ends[1] = dataBytes;
  return {
    place: "host",
    type: { kind: "string" },
    length: 1,
    nullCount: isNull ? 1 : 0,
    validity: isNull ? Uint8Array.of(0) : null,
    data,
    offsets: ends,
    children: [],
  };
}

/** Returns the rows that are not null. */
function presentRows(column: HostColumn): number[] {
  const rows: number[] = [];
  for (let row = 0; row < column.length; row++) if (!isNull(column, row)) rows.push(row);
  return rows;
}

function textBytes(offsets: Offsets, rows: readonly number[], separatorBytes: number): number {
  let bytes = 0;
  for (const [index, row] of rows.entries()) {
    bytes += offsets[row + 1]! - offsets[row]! + (index > 0 ? separatorBytes : 0);
  }
  return bytes;
}
