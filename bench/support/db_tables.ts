/**
 * Makes the tables of the join questions of the db-benchmark (h2oai, continued by DuckDB Labs), as its script
 * `join-datagen.R` does: `x`, and three tables of a millionth, a thousandth and all of its size. Of the keys of a
 * table, 9 of 10 are on both sides, 1 of 10 on its side only.
 *
 * @module
 */

import type { RecordBatch } from "apache-arrow";
import { float64Column, int32Column, numberedColumn, recordBatch } from "./columns.ts";
import { shuffled } from "./join_tables.ts";
import { randomNumbers } from "./names.ts";

const BATCH_ROWS = 65_536;

/** The tables by name. */
interface DbTables {
  readonly x: readonly RecordBatch[];
  readonly small: readonly RecordBatch[];
  readonly medium: readonly RecordBatch[];
  readonly big: readonly RecordBatch[];
}

/** The keys of one size: those of `x`, and those of the other table, each shuffled. */
interface Keys {
  readonly left: Int32Array;
  readonly right: Int32Array;
}

/** Makes the tables. `x` has `numRows` rows, a multiple of a million, so that all sizes are whole. */
export function dbTables(numRows: number): DbTables {
  if (numRows % 1_000_000 !== 0) throw new RangeError("Rows come by the million");
  const random = randomNumbers(3);
  const keys = [numRows / 1e6, numRows / 1e3, numRows].map((count) => keysOf(count, random));
  const [small, medium, big] = keys as [Keys, Keys, Keys];
  const pick = (from: Int32Array) => from[random() % from.length]!;
  const table = (
    numRows: number,
    value: string,
    key: (index: number) => (row: number) => number,
    numKeys: number,
  ) => tableOf(numRows, value, Array.from({ length: numKeys }, (_, index) => key(index)), random);
  return {
    // Every key of a size occurs once; the other rows have random ones.
    x: table(numRows, "v1", (index) => {
      const { left } = keys[index]!;
      const order = shuffled(numRows, random);
      return (row) => order[row]! < left.length ? left[order[row]!]! : pick(left);
    }, 3),
    small: table(small.right.length, "v2", () => (row) => small.right[row]!, 1),
    medium: table(
      medium.right.length,
      "v2",
      (index) => index === 1 ? (row) => medium.right[row]! : () => pick(small.right),
      2,
    ),
    big: table(
      big.right.length,
      "v2",
      (index) => index === 2 ? (row) => big.right[row]! : () => pick(keys[index]!.right),
      3,
    ),
  };
}

function keysOf(count: number, random: () => number): Keys {
  const numShared = Math.round(count * 0.9);
  const all = shuffled(Math.round(count * 1.1), random).map((key) => key + 1);
  const left = all.slice(0, count);
  const right = new Int32Array(all.length - count + numShared);
  right.set(all.subarray(0, numShared));
  right.set(all.subarray(count), numShared);
  return { left, right: shuffled(right.length, random).map((at) => right[at]!) };
}

/** Makes a table: `id1` to at most `id3` as int32, the same keys as text in `id4` to `id6`, and a float. */
function tableOf(
  numRows: number,
  value: string,
  keys: readonly ((row: number) => number)[],
  random: () => number,
): RecordBatch[] {
  return Array.from({ length: Math.ceil(numRows / BATCH_ROWS) }, (_, index) => {
    const start = index * BATCH_ROWS;
    const length = Math.min(BATCH_ROWS, numRows - start);
    const columns = keys.map((key) => Int32Array.from({ length }, (_, row) => key(start + row)));
    const values = Float64Array.from({ length }, () => (random() % 100_000_000) / 1e6);
    return recordBatch({
      ...Object.fromEntries(columns.map((ids, at) => [`id${at + 1}`, int32Column(ids)])),
      ...Object.fromEntries(columns.map((ids, at) => [`id${at + 4}`, numberedColumn("id", ids)])),
      [value]: float64Column(values),
    });
  });
}
