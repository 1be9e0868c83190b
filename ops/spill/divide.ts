/**
 * Divides rows among partitions by the hash of their key.
 *
 * @module
 */

import { bitAt } from "../../gpu/column/bitmap.ts";
import type { HostColumn } from "../../gpu/column/column.ts";
import { hashKeys } from "../../gpu/key/hash_keys.ts";
import { gatherRows, type HostRows } from "./host_rows.ts";

/** Where rows without a key go, which equal no other row. */
export type NullPlace = "with their hash" | "anywhere" | "nowhere";

/**
 * The partition of each row, below `numPartitions`, a power of two; -1 where the row goes nowhere.
 * Equal keys have the same partition, on both sides. Rows that may go anywhere take turns.
 */
export function partitionsOf(
  key: HostColumn,
  seed: number,
  numPartitions: number,
  nulls: NullPlace,
): Int32Array {
  const hashes = hashKeys(key, seed);
  const partitions = new Int32Array(key.length);
  const shift = 32 - Math.log2(numPartitions);
  // A shift by 32 would be one by 0.
  if (shift < 32) {
    for (let row = 0; row < key.length; row++) partitions[row] = hashes[row]! >>> shift;
  }
  if (nulls === "with their hash" || key.nullCount === 0 || key.validity === null) {
    return partitions;
  }
  for (let row = 0; row < key.length; row++) {
    if (bitAt(key.validity, row) !== 0) continue;
    partitions[row] = nulls === "nowhere" ? -1 : row & (numPartitions - 1);
  }
  return partitions;
}

/** For each of `numPlaces` places, the rows that go there, ascending; -1 goes nowhere. */
export function rowsByPlace(places: Int32Array, numPlaces: number): Int32Array[] {
  const stops = new Int32Array(numPlaces + 1);
  for (let row = 0; row < places.length; row++) stops[places[row]! + 1]!++;
  // Rows that go nowhere come first.
  for (let place = 0; place < numPlaces; place++) stops[place + 1]! += stops[place]!;
  const next = stops.slice();
  const rows = new Int32Array(places.length);
  let numNowhere = 0;
  for (let row = 0; row < places.length; row++) {
    const place = places[row]!;
    if (place < 0) rows[numNowhere++] = row;
    else rows[next[place]!++] = row;
  }
  return Array.from(
    { length: numPlaces },
    (_, place) => rows.subarray(stops[place]!, stops[place + 1]!),
  );
}

/** Yields the rows that go to each place, copied, for the places that have some. */
export function* divideRows(
  rows: HostRows,
  places: Int32Array,
  numPlaces: number,
): Generator<{ readonly place: number; readonly rows: HostRows }, void, void> {
  for (const [place, selection] of rowsByPlace(places, numPlaces).entries()) {
    if (selection.length > 0) yield { place, rows: gatherRows(rows, selection) };
  }
}
