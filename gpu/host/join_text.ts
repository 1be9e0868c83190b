/** @module */

import type { HostColumn } from "../column.ts";
import { OverflowError } from "../errors.ts";

/** The greatest number of bytes that 32-bit offsets address. */
const MAX_TEXT_BYTES = 2 ** 31 - 1;

/**
 * The rows of a string column in one row of text, with the separator between each two. Rows that
 * are null are left out; where no row is left the result is null.
 *
 * Raises an OverflowError, naming the row, beyond 2^31 - 1 bytes.
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
  return {
    place: "host",
    type: { kind: "string" },
    length: 1,
    nullCount: isNull ? 1 : 0,
    validity: isNull ? Uint8Array.of(0) : null,
    data,
    offsets: Int32Array.of(0, dataBytes),
    children: [],
  };
}

/** The rows that are not null. */
function presentRows({ length, nullCount, validity }: HostColumn): number[] {
  const rows: number[] = [];
  for (let row = 0; row < length; row++) {
    const isNull = nullCount > 0 && validity !== null &&
      (validity[row >> 3]! >> (row & 7) & 1) === 0;
    if (!isNull) rows.push(row);
  }
  return rows;
}

function textBytes(offsets: Int32Array, rows: readonly number[], separatorBytes: number): number {
  let bytes = 0;
  for (const [index, row] of rows.entries()) {
    bytes += offsets[row + 1]! - offsets[row]! + (index > 0 ? separatorBytes : 0);
    if (bytes > MAX_TEXT_BYTES) {
      throw new OverflowError(
        `Size of output exceeds ${MAX_TEXT_BYTES} bytes: the joined text of row ${row} ends at ` +
          `byte ${bytes}`,
        row,
        bytes,
      );
    }
  }
  return bytes;
}
