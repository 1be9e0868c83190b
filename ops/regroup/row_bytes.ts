/**
 * Bytes of rows, for regrouping. They are counted row by row, so that where a group ends depends on
 * the rows alone and not on the batches that they came in.
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
 * Bytes of the rows [start, stop) of a column: values, an offset for each text and list, and a bit
 * of validity, whether or not some row is null.
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

/** Where each text ends if nulls have no bytes, of columns with nulls that have some. */
const endsOfColumns = new WeakMap<HostColumn, Offsets>();

/** Bytes of text in rows. Whether bytes lie below a null depends on the batch in which it came. */
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
  // The offsets serve as well, and are there in any case.
  return ends[length] === own[length]! - own[0]! ? own : ends;
}

/** Bytes that a column takes besides its rows: the last offset, and bitmaps rounded up. */
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
