/**
 * Rows of either side as files have them: time, group, then other columns.
 *
 * @module
 */

import type { RowGrouper } from "../../../gpu/order/group_rows.ts";
import { type TimeForm, Times } from "../../../gpu/order/as_of/times.ts";
import { type HostColumn, viewAs } from "../../../gpu/column/column.ts";
import { gatherColumns } from "../../../gpu/column/gather.ts";
import type { HostRows } from "../../spill/host_rows.ts";
import { numberColumn, numbersOf } from "../../spill/row_numbers.ts";
import type { TimedRows } from "./sides.ts";

/** Returns the number of columns before the others in a file: the time in one or two, and the group. */
export function headColumns(form: TimeForm): number {
  return form === "wide" ? 3 : 2;
}

/** Returns the rows of a batch that have a time and a group, as a file has them, in order. */
export function fileRows(
  { times, rows, grouped }: TimedRows,
  columns: readonly HostColumn[],
): { readonly rows: HostRows; readonly groups: Int32Array } {
  const { order, groups, starts } = grouped!;
  const numRows = order.length;
  const ofRow = new Int32Array(numRows);
  const places = new Int32Array(numRows);
  groups.forEach((group, index) => {
    for (let at = starts[index]!; at < starts[index + 1]!; at++) {
      ofRow[order[at]!] = group;
      places[order[at]!] = at;
    }
  });
  const { high, low } = times.pick(places);
  const heads = [
    numberColumn(high),
    ...(low === null ? [] : [intColumn(new Int32Array(low.buffer))]),
    intColumn(ofRow),
  ];
  const others = rows === null ? columns : gatherColumns(columns, rows, { mayMiss: false });
  return { rows: { columns: [...heads, ...others], numRows }, groups: ofRow };
}

function intColumn(values: Int32Array): HostColumn {
  return {
    ...numberColumn(new Float64Array(0)),
    type: { kind: "int", bits: 32, signed: true },
    length: values.length,
    data: new Uint8Array(values.buffer, values.byteOffset, values.byteLength),
  };
}

/** Returns the numbers of the groups of rows of a file. */
export function groupsOfRows({ columns, numRows }: HostRows, form: TimeForm): Int32Array {
  return viewAs(Int32Array, columns[headColumns(form) - 1]!.data).subarray(0, numRows);
}

/** Returns the times of rows of a file, by groups as their partition numbers them. */
export function timedRows(
  rows: HostRows,
  form: TimeForm,
  bits: number,
  grouper: RowGrouper,
  numGroups: number,
): TimedRows {
  const { columns, numRows } = rows;
  const groups = groupsOfRows(rows, form).map((group) => group >>> bits);
  const grouped = grouper.group(groups, numGroups);
  const low = form === "wide" ? viewAs(Uint32Array, columns[1]!.data).subarray(0, numRows) : null;
  const times = new Times(numbersOf(columns[0]!), low).pick(grouped.order);
  return { numRows, rows: null, times, grouped };
}
