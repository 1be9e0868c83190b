/** @module */

import type { HostColumn } from "../column/column.ts";

/**
 * Bytes that a row of some columns takes, on average: of the rows, not of the data in which their text
 * lies, which the rows of other batches may share.
 */
export function rowBytes(columns: readonly HostColumn[], numRows: number): number {
  return columns.reduce((sum, { data, offsets }) => {
    if (offsets === null) return sum + data.length / numRows;
    return sum + 4 + ((offsets[numRows] ?? 0) - (offsets[0] ?? 0)) / numRows;
  }, 0);
}
