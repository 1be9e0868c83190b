/**
 * Measures rows in bytes, so that a batch can be split into parts of a given size.
 *
 * @module
 */

import type { Data, DataType, Dictionary, RecordBatch } from "apache-arrow";
import { layoutOf, valueBytes } from "../../../data/arrow_data.ts";
import { rowValidity } from "../../../text/column_text.ts";

/** A function that returns the bytes of the rows [start, stop); a bit counts as an eighth. */
type RowBytes = (start: number, stop: number) => number;

/**
 * Returns a function that measures rows of a batch as laid out in Arrow, offsets included.
 * Dictionaries are shared by all rows and not counted.
 */
export function rowBytesOf(batch: RecordBatch): RowBytes {
  return sumOf(batch.data.children.map(bytesUnder));
}

function bytesUnder(data: Data): RowBytes {
  const type: DataType = data.type;
  const { children } = data;
  switch (layoutOf(type)) {
    case "bits":
      return (start, stop) => (stop - start) / 8;
    case "values":
      return fixed(valueBytes(type));
    case "dictionary":
      return fixed(valueBytes((type as Dictionary).indices));
    case "bytes32":
    case "bytes64": {
      const offsetOf = offsetsOf(data);
      return (start, stop) => 8 * (stop - start) + offsetOf(stop) - offsetOf(start);
    }
    case "view": {
      const before = viewBytesBefore(data);
      return (start, stop) => 16 * (stop - start) + before[stop]! - before[start]!;
    }
    case "list32":
    case "list64": {
      const offsetOf = offsetsOf(data);
      const values = sumOf(children.map(bytesUnder));
      return (start, stop) => 8 * (stop - start) + values(offsetOf(start), offsetOf(stop));
    }
    case "fixed_list": {
      const { listSize } = type as unknown as { listSize: number };
      const values = sumOf(children.map(bytesUnder));
      return (start, stop) => values(listSize * start, listSize * stop);
    }
    case "struct":
      return sumOf(children.map(bytesUnder));
    default:
      return fixed(0);
  }
}

function fixed(width: number): RowBytes {
  return (start, stop) => width * (stop - start);
}

function sumOf(parts: readonly RowBytes[]): RowBytes {
  return (start, stop) => parts.reduce((sum, part) => sum + part(start, stop), 0);
}

/** Returns access to offsets as numbers; an empty column may have none. */
function offsetsOf({ valueOffsets }: Data): (row: number) => number {
  const offsets = valueOffsets as Int32Array | BigInt64Array | undefined;
  return (row) => Number(offsets?.[row] ?? 0);
}

/** Returns prefix sums of the bytes of the rows; nulls have none. */
function viewBytesBefore(data: Data): Float64Array {
  const { values, length } = data;
  const before = new Float64Array(length + 1);
  const isValid = rowValidity(data);
  const { buffer, byteOffset } = values as Uint8Array;
  const views = new DataView(buffer, byteOffset);
  for (let row = 0; row < length; row++) {
    const size = isValid(row) ? views.getInt32(16 * row, true) : 0;
    before[row + 1] = before[row]! + size;
  }
  return before;
}
