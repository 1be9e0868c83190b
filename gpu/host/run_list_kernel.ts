/** @module */

import { type HostColumn, isTextList } from "../column/column.ts";
import { filledBitmap } from "../column/bitmap.ts";
import { bytesOf, type NumberArray } from "./kernel_arrays.ts";
import type { KernelWork } from "./kernel_work.ts";
import { growArray, roomFor } from "./grow_array.ts";
import { withoutSlack } from "./without_slack.ts";

/** What a result of lists is expected to have. */
export interface ExpectedItems {
  readonly numItems: number;
  /** Of lists of texts. */
  readonly textBytes: number;
}

/**
 * Runs a kernel of lists over all rows at once, as JavaScript. Items are numbers, or texts with their
 * ends; how many there are shows row by row. Raises a ColumnFullError for more than offsets address.
 */
export function runListKernel(
  { pieces, arrays, numRows }: KernelWork,
  { numItems, textBytes }: ExpectedItems,
): HostColumn {
  const { kernel: { type, canBeNull } } = pieces;
  if (type.kind !== "list") throw new TypeError(`A kernel of ${type.kind} makes no lists`);
  const isText = isTextList(type);
  const offsets = new Int32Array(numRows + 1);
  const validity = canBeNull ? filledBitmap(numRows) : null;
  const items = new Int32Array(roomFor(numItems));
  const { nulls, data, size, ends, count = 0 } = pieces.call({
    $rows: numRows,
    $result: isText ? new Uint8Array(roomFor(textBytes)) : items,
    $offsets: offsets,
    $validity: validity,
    $grow: growArray,
    $ends: isText ? items : null,
    $growItems: growItems,
  }, arrays);
  const itemColumn: HostColumn = {
    place: "host",
    type: type.item,
    length: count,
    nullCount: 0,
    validity: null,
    data: withoutSlack(bytesOf(data as NumberArray), size),
    offsets: ends === undefined ? null : withoutSlack(ends, count + 1),
    children: [],
  };
  return {
    place: "host",
    type,
    length: numRows,
    nullCount: nulls,
    validity: nulls === 0 ? null : validity,
    offsets,
    data: new Uint8Array(0),
    children: [itemColumn],
  };
}

/** Makes room for `count` items, or for their ends, one more than there are items. */
function growItems(old: Int32Array, kept: number, count: number, row: number): Int32Array {
  return growArray(old, kept + 1, count + 1, row);
}
