/**
 * Shows values in errors.
 *
 * @module
 */

import type { DataType } from "apache-arrow";
import type { HostColumn } from "../../../gpu/column/column.ts";
import { sliceColumn } from "../../../gpu/column/slice.ts";
import { valueAt } from "../../../gpu/column/value_at.ts";
import { textOf } from "../../../streams/text/column_text.ts";
import { isText } from "../../batch/arrow_types.ts";
import { toArrow } from "../../batch/to_arrow.ts";
import { printLiteral } from "../../syntax/print.ts";

/** Returns the text of a value for errors; a nested value is only "a value". */
export function showValue(type: DataType, column: HostColumn, row: number): string {
  if (isText(type)) return printLiteral(valueAt(column, row));
  const data = toArrow(sliceColumn(column, row, row + 1), type);
  if (data.nullCount > 0) return "null";
  return textOf(data)?.(0) ?? "a value";
}
