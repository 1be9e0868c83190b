/**
 * The numbers of rows as a column, by which an operator restores their order.
 *
 * @module
 */

import type { HostColumn } from "../../gpu/column/column.ts";
import type { HostRows } from "./host_rows.ts";

/** Returns row numbers as a column of floats, which are exact up to 2^53 and move like other values. */
export function numberColumn(numbers: Float64Array): HostColumn {
  return {
    place: "host",
    type: { kind: "float", bits: 64 },
    length: numbers.length,
    nullCount: 0,
    validity: null,
    data: new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength),
    offsets: null,
    children: [],
  };
}

/** Returns the row numbers of such a column. */
export function numbersOf({ data, length }: HostColumn): Float64Array {
  return new Float64Array(data.buffer, data.byteOffset, length);
}

/** Returns `numRows` consecutive numbers, from `first` on. */
export function countFrom(first: number, numRows: number): Float64Array {
  const numbers = new Float64Array(numRows);
  for (let row = 0; row < numRows; row++) numbers[row] = first + row;
  return numbers;
}

/** Yields batches with the numbers of their rows as a last column. */
export async function* withNumbers(
  batches: AsyncIterable<HostRows>,
): AsyncGenerator<HostRows, void, void> {
  let first = 0;
  for await (const rows of batches) {
    yield numbered(rows, first);
    first += rows.numRows;
  }
}

/** Returns rows with their numbers, from `first` on, as a last column. */
export function numbered({ columns, numRows }: HostRows, first: number): HostRows {
  return { columns: [...columns, numberColumn(countFrom(first, numRows))], numRows };
}
