/** @module */

import { byteWidth, type HostColumn } from "../../gpu/column.ts";

/** Bytes that the rows [start, stop) of a column take: values, offsets and validity. */
export function rowBytes(column: HostColumn, start: number, stop: number): number {
  const numRows = stop - start;
  const validity = column.validity === null ? 0 : numRows / 8;
  const { type, offsets } = column;
  switch (type.kind) {
    case "string":
      return validity + 4 * numRows + offsets![stop]! - offsets![start]!;
    case "list":
      return validity + 4 * numRows +
        rowBytes(column.children[0]!, offsets![start]!, offsets![stop]!);
    case "struct":
      return column.children.reduce((sum, child) => sum + rowBytes(child, start, stop), validity);
    case "bool":
      return validity + numRows / 8;
    default:
      return validity + byteWidth(type) * numRows;
  }
}
