/**
 * The bytes of rows of a result, and the ranges of a run's size arrays that belong to them.
 *
 * @module
 */

import type { ColumnType } from "../../column/column.ts";
import { SATURATED } from "../dispatch/scan.ts";
import type { Extent } from "../gather/gather.ts";
import { fixedDataBytes, NO_WORD, windowLayout } from "../memory/device_column.ts";
import { positionOf, type SampledRows } from "./cut_rows.ts";
import type { Source } from "./run.ts";

const NO_EXTENT: Extent = { start: 0, stop: 0 };

/**
 * Returns the ranges of a source's size arrays, the first of which is `array`, for the rows [start,
 * stop).
 */
export function extentsOf(
  sampled: SampledRows,
  array: number,
  start: number,
  stop: number,
): [rows: Extent, itemBytes: Extent] {
  const at = (array: number) =>
    array >= sampled.positions.length ? NO_EXTENT : {
      start: positionOf(sampled, array, start),
      stop: positionOf(sampled, array, stop),
    };
  return [at(array), at(array + 1)];
}

/** The size of the rows of a source on the device. */
export interface Shape {
  /** The index of the first size array; meaningless if the source has none. */
  readonly array: number;
  bytes(numRows: number, extents: readonly [rows: Extent, itemBytes: Extent]): number;
}

/** Returns the shape of a source on the device; null for a source on the host. */
export function shapeOf({ column, views }: Source, mayMiss: boolean, array: number): Shape | null {
  if (views === null) return null;
  const { type, hasValidity } = column;
  const hasNullItems = type.kind === "list" &&
    views.some(({ window }) => window.layout.itemValidityWord !== NO_WORD);
  const bytes = (numRows: number, [rows, itemBytes]: readonly [Extent, Extent]) => {
    if (rows.stop === SATURATED || itemBytes.stop === SATURATED) return Infinity;
    const sizes = [rows.stop - rows.start, itemBytes.stop - itemBytes.start] as const;
    const dataBytes = dataBytesOf(type, numRows, sizes);
    const items = { length: sizes[0], hasValidity: hasNullItems };
    return 4 * windowLayout(type, numRows, dataBytes, hasValidity || mayMiss, items).words;
  };
  return { array, bytes };
}

function dataBytesOf(
  type: ColumnType,
  numRows: number,
  [first, second]: readonly [number, number],
): number {
  if (type.kind === "string") return first;
  if (type.kind !== "list") return fixedDataBytes(type, numRows);
  return type.item.kind === "string" ? second : fixedDataBytes(type.item, first);
}
