/**
 * Counts the bytes of rows for regrouping. It counts row by row, so that the end of a group depends
 * only on the rows, not on the batches in which they came.
 *
 * @module
 */

import { bitAt } from "../../gpu/column/bitmap.ts";
import {
  byteWidth,
  type ColumnType,
  type HostColumn,
  type Offsets,
} from "../../gpu/column/column.ts";

const VALIDITY_BYTES = 1 / 8;
const OFFSET_BYTES = 4;

/**
 * Returns the bytes of the rows [start, stop) of a column: values, an offset for each text and
 * list, and a bit of validity, whether or not any row is null.
 */
export function rowBytes(column: HostColumn, start: number, stop: number): number {
  const numRows = stop - start;
  const validity = VALIDITY_BYTES * numRows;
  const { type, offsets, children } = column;
  switch (type.kind) {
    case "string":
      return validity + OFFSET_BYTES * numRows + textBytes(column, start, stop);
    case "list":
      return validity + OFFSET_BYTES * numRows +
        rowBytes(children[0]!, offsets![start]!, offsets![stop]!);
    case "struct":
      return children.reduce((sum, child) => sum + rowBytes(child, start, stop), validity);
    case "bool":
      return validity + numRows / 8;
    default:
      return validity + byteWidth(type) * numRows;
  }
}

/** For columns with nulls: the end of each text if nulls had no bytes. */
const endsOfColumns = new WeakMap<HostColumn, Offsets>();

/**
 * Returns the bytes of text in rows, without those below nulls, which depend on the batch in which
 * a row came.
 */
function textBytes(column: HostColumn, start: number, stop: number): number {
  let ends = column.nullCount === 0 ? column.offsets! : endsOfColumns.get(column);
  if (ends === undefined) endsOfColumns.set(column, ends = endsOfTexts(column));
  return ends[stop]! - ends[start]!;
}

function endsOfTexts({ offsets, validity, length }: HostColumn): Offsets {
  const own = offsets!;
  if (validity === null) return own;
  const ends = new Float64Array(length + 1);
  for (let row = 0; row < length; row++) {
    ends[row + 1] = ends[row]! + bitAt(validity, row) * (own[row + 1]! - own[row]!);
  }
  // No null has bytes, so the offsets serve as well and take no extra memory.
  return ends[length] === own[length]! - own[0]! ? own : ends;
}

/**
 * Returns the bytes that a column takes besides its rows: the last offset, and the rounding of
 * bitmaps.
 */
export function fixedBytes(type: ColumnType): number {
  switch (type.kind) {
    case "string":
      return OFFSET_BYTES + 1;
    case "list":
      return OFFSET_BYTES + 1 + fixedBytes(type.item);
    case "struct":
      return type.fields.reduce((sum, field) => sum + fixedBytes(field), 1);
    case "bool":
      return 2;
    default:
      return 1;
  }
}
