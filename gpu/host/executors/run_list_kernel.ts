/**
 * Runs kernels whose results are lists, as JavaScript, over all rows of a batch.
 *
 * @module
 */

import { type HostColumn, isTextList } from "../../column/column.ts";
import { filledBitmap } from "../../column/bitmap.ts";
import { bytesOf, type NumberArray } from "../kernels/kernel_arrays.ts";
import type { KernelWork } from "../kernels/kernel_work.ts";
import { growForKernel, roomFor, withoutSlack } from "../runtime/grow_array.ts";
import { callKernel, type KernelResult } from "../kernels/kernel_result.ts";

/** The expected size of a result of lists. */
interface ExpectedItems {
  readonly numItems: number;
  /** Only for lists of texts. */
  readonly textBytes: number;
}

/**
 * Runs a kernel of lists over all rows, as JavaScript. The items are numbers, or texts with their
 * ends; their number is known only at the end.
 */
export function runListKernel(
  { code, arrays, numRows }: KernelWork,
  { numItems, textBytes }: ExpectedItems,
): KernelResult {
  const { ir: { type, canBeNull } } = code;
  if (type.kind !== "list") throw new TypeError(`A kernel of ${type.kind} makes no lists`);
  const isText = isTextList(type);
  const offsets = new Int32Array(numRows + 1);
  const validity = canBeNull ? filledBitmap(numRows) : null;
  const items = new Int32Array(roomFor(numItems));
  const outcome = callKernel(
    code,
    {
      $rows: numRows,
      $result: isText ? new Uint8Array(roomFor(textBytes)) : items,
      $offsets: offsets,
      $validity: validity,
      $grow: growForKernel,
      $ends: isText ? items : null,
      $growItems: growItems,
    },
    arrays,
    0,
  );
  if ("kind" in outcome) return outcome;
  const { nulls, data, size, ends, count = 0 } = outcome;
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
  const column: HostColumn = {
    place: "host",
    type,
    length: numRows,
    nullCount: nulls,
    validity: nulls === 0 ? null : validity,
    offsets,
    data: new Uint8Array(0),
    children: [itemColumn],
  };
  return { kind: "column", column };
}

/** Grows the array of items, or of their ends, which are one more than the items. */
function growItems(old: Int32Array, kept: number, count: number, row: number): Int32Array {
  return growForKernel(old, kept + 1, count + 1, row);
}
