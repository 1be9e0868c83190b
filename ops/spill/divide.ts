/**
 * Divides rows among partitions.
 *
 * @module
 */

import { bitAt } from "../../gpu/column/bitmap.ts";
import type { HostColumn } from "../../gpu/column/column.ts";
import { hashKeys } from "../../gpu/key/hash_keys.ts";
import { gatherRows, type HostRows } from "./host_rows.ts";

/** The place of rows with a null key, which equals no other key. */
type NullPlace = "with their hash" | "anywhere" | "nowhere";

/**
 * Returns the partition of each row by the hash of its key: a number below `numPartitions`, a power of
 * two, or -1 for a row that goes nowhere. Equal keys have the same partition on both sides of a join. Rows
 * that may go anywhere are distributed evenly.
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
  // In JavaScript, a shift by 32 bits is a shift by 0.
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

/** Returns the rows that go to each of `numPlaces` places, in ascending order. Place -1 is nowhere. */
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

/** Yields copies of the rows that go to each place that has rows. */
export function* divideRows(
  rows: HostRows,
  places: Int32Array,
  numPlaces: number,
): Generator<{ readonly place: number; readonly rows: HostRows }, void, void> {
  for (const [place, selection] of rowsByPlace(places, numPlaces).entries()) {
    if (selection.length > 0) yield { place, rows: gatherRows(rows, selection) };
  }
}
