/**
 * Copies batches into the memory of a thread.
 *
 * @module
 */

import type { ColumnArrays, PartBatch, PartColumn } from "./part_batch.ts";
import type { Work } from "../table/work.ts";

/** A column in the memory of the thread: the places of its arrays, 0 for those that it lacks. */
export interface PlacedColumn {
  readonly kind: PartColumn["kind"] | "key";
  readonly width: number;
  /** The place of position 0 of the text, or of the data of other columns. */
  readonly data: number;
  readonly offsets: number;
  readonly validity: number;
}

/** A batch in the memory of the thread. */
export type PlacedBatch<Batch extends PartBatch> = Omit<Batch, "key" | "columns"> & {
  readonly key: PlacedColumn;
  readonly columns: readonly PlacedColumn[];
};

const SLACK = 64;

/** Copies a batch into the memory of the thread, each array once. */
export function placeBatch<Batch extends PartBatch>(
  { area, bytes }: Work,
  { key, columns, ...batch }: Batch,
): PlacedBatch<Batch> {
  const places = new Map<Uint8Array, number>();
  let numBytes = 0;
  for (const { data, offsets, validity } of [key, ...columns]) {
    for (const array of [data, offsets, validity]) {
      if (array === null || places.has(array)) continue;
      places.set(array, numBytes);
      numBytes = 16 * Math.ceil((numBytes + array.length + SLACK) / 16);
    }
  }
  const base = area("batch", numBytes);
  for (const [array, at] of places) bytes(base + at, array.length).set(array);
  const placeOf = (array: Uint8Array | null) => array === null ? 0 : base + places.get(array)!;
  const placed = (
    { data, offsets, first, validity }: ColumnArrays,
    kind: PlacedColumn["kind"],
    width: number,
  ) => ({
    kind,
    width,
    // Places wrap around, like addresses in kernels.
    data: placeOf(data) - first,
    offsets: placeOf(offsets),
    validity: placeOf(validity),
  });
  return {
    ...batch,
    key: placed(key, "key", 0),
    columns: columns.map((column) => placed(column, column.kind, column.width)),
  };
}
