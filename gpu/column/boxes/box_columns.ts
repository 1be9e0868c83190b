/**
 * Assembles columns from boxes of other columns, to split and combine tensors. A row is a tensor,
 * and the bytes of a column are those of its items, row after row.
 *
 * @module
 */

import type { BoxCopy } from "./box_copy.ts";
import { OverflowError } from "../../../base/errors/value_error.ts";
import { countSetBits } from "../bitmap.ts";
import { byteWidth, type Column, type ColumnType, type HostColumn } from "../column.ts";
import { MAX_NARROW_OFFSET } from "../offsets.ts";
import { type BoxRuns, boxRuns, copiedBytes, runsExtent } from "./box_runs.ts";
import { copyRuns } from "./copy_runs.ts";

/** The boxes that are read from one column. */
interface BoxSource {
  /** A column of values of whole bytes, or of lists of them, without nulls. */
  readonly column: Column;
  /** The boxes. Their offsets count from the first item of this column and of the result. */
  readonly boxes: readonly BoxCopy[];
}

/** A request for a column. No byte of it may be in two boxes. */
export interface BoxesRequest {
  /** The type of the result: values of whole bytes, or lists of them. */
  readonly type: ColumnType;
  readonly numRows: number;
  /** The items of each list; 1 for other types. */
  readonly rowItems: number;
  /** The bytes of one item, which fills the places that no box covers. */
  readonly fill: Uint8Array;
  readonly sources: readonly BoxSource[];
}

/** The plan of a valid request. */
export interface BoxesPlan {
  /** The bytes of an item, of a row and of the result. */
  readonly itemBytes: number;
  readonly rowBytes: number;
  readonly bytes: number;
  /** For each source, its boxes that are not empty. */
  readonly runs: readonly (readonly BoxRuns[])[];
  /** Whether the boxes cover every byte, so that none needs filling. */
  readonly isCovered: boolean;
}

/**
 * Checks a request and plans it. Throws a TypeError for types without items of whole bytes, a
 * RangeError for a box outside its column or the result, and an OverflowError for more items than
 * lists of a column can have.
 */
export function planBoxes({ type, numRows, rowItems, fill, sources }: BoxesRequest): BoxesPlan {
  const itemBytes = itemWidth(type);
  if (type.kind === "list") checkItems(numRows, rowItems);
  if (fill.length !== itemBytes) {
    throw new RangeError(`A fill value of ${fill.length} bytes for items of ${itemBytes}`);
  }
  const rowBytes = itemBytes * rowItems;
  const bytes = rowBytes * numRows;
  let covered = 0;
  const runs = sources.map(({ column, boxes }) => {
    const limits = { from: sourceBytes(column), to: bytes };
    return boxes.flatMap((box) => {
      const found = boxRuns(box);
      if (found === undefined) return [];
      for (const side of ["from", "to"] as const) checkExtent(found, side, limits[side]);
      covered += copiedBytes(found);
      return [found];
    });
  });
  return { itemBytes, rowBytes, bytes, runs, isCovered: covered === bytes };
}

/**
 * Assembles the column on the host, from columns on the host. Throws a TypeError for columns with
 * nulls, which boxes of bytes cannot carry.
 */
export function copyBoxesOnHost(request: BoxesRequest): HostColumn {
  const { type, numRows, rowItems, fill, sources } = request;
  const { bytes, runs, isCovered } = planBoxes(request);
  const data = new Uint8Array(bytes);
  if (!isCovered && fill.some((byte) => byte !== 0)) fillItems(data, fill);
  sources.forEach(({ column }, k) => {
    if (column.place !== "host") throw new TypeError("A column belongs to another backend");
    const from = itemsOf(column);
    for (const each of runs[k]!) copyRuns(each, from, data);
  });
  const items = { place: "host", nullCount: 0, validity: null, data, children: [] } as const;
  if (type.kind !== "list") return { ...items, type, length: numRows, offsets: null };
  const offsets = listOffsets(numRows, rowItems);
  const child = { ...items, type: type.item, length: numRows * rowItems, offsets: null };
  return { ...items, type, length: numRows, data: new Uint8Array(0), offsets, children: [child] };
}

/** Returns the offsets of lists with `rowItems` items each. */
export function listOffsets(numRows: number, rowItems: number): Int32Array {
  return Int32Array.from({ length: numRows + 1 }, (_, row) => row * rowItems);
}

function checkItems(numRows: number, rowItems: number): void {
  if (numRows * rowItems <= MAX_NARROW_OFFSET) return;
  const row = Math.floor(MAX_NARROW_OFFSET / rowItems);
  throw new OverflowError(
    `Size of output exceeds ${MAX_NARROW_OFFSET} items of lists at row ${row}`,
    row,
    (row + 1) * rowItems,
  );
}

/** Returns the bytes of an item of lists, or of a value. */
function itemWidth(type: ColumnType): number {
  const width = byteWidth(type.kind === "list" ? type.item : type);
  if (width === 0) throw new TypeError("Boxes are copied of items of whole bytes only");
  return width;
}

/** Returns the bytes of the items of a column. */
function sourceBytes(column: Column): number {
  itemWidth(column.type);
  return column.place === "host" ? itemsOf(column).length : column.dataBytes;
}

/** Returns the items of a host column. Throws a TypeError for nulls. */
function itemsOf(column: HostColumn): Uint8Array {
  const { type, length, data, offsets, children: [items] } = column;
  const width = itemWidth(type);
  const [start, stop] = offsets === null ? [0, length] : [offsets[0]!, offsets[length]!];
  if (hasNulls(column, 0, length) || (items !== undefined && hasNulls(items, start, stop))) {
    throw new TypeError("Boxes are copied of columns without nulls only");
  }
  return (items?.data ?? data).subarray(width * start, width * stop);
}

/** Whether any of the rows [start, stop) is null. */
function hasNulls({ nullCount, validity }: HostColumn, start: number, stop: number): boolean {
  if (nullCount === 0 || validity === null) return false;
  return countSetBits(validity, start, stop) < stop - start;
}

function checkExtent(runs: BoxRuns, side: "from" | "to", bytes: number): void {
  const { start, stop } = runsExtent(runs, side);
  if (start >= 0 && stop <= bytes) return;
  const column = side === "from" ? "the column that it is read from" : "the result";
  throw new RangeError(`A box from byte ${start} to ${stop} of ${column}, which has ${bytes}`);
}

/** Fills bytes with copies of an item, doubling the filled part each time. */
function fillItems(data: Uint8Array, item: Uint8Array): void {
  data.set(item.subarray(0, data.length));
  for (let size = item.length; size < data.length; size *= 2) data.copyWithin(size, 0, size);
}
