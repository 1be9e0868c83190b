/**
 * Makes the tables of the join benches: a probe side of many rows, and a build side of unique keys, which four of
 * five probe rows match, with a number and a text of 12 bytes as payload.
 *
 * @module
 */

import type { Data, RecordBatch } from "apache-arrow";
import { createEngine, read } from "../../mod.ts";
import { airportsFile, checkoutPath } from "../../tests/support/processes/sluice.ts";
import { int32Column, int64Column, numberedColumn, recordBatch, textColumn } from "./columns.ts";
import { randomNumbers } from "./names.ts";

/** The rows of a batch, and the share of them that matches a row of the build side. */
const BATCH_ROWS = 65_536;
const MATCHING = 0.8;
const zipcodesFile = checkoutPath("node_modules/vega-datasets/data/zipcodes.csv");

/** The kinds of keys. */
export const keyKinds = ["int32", "int64", "12-byte text", "names"] as const;

/** A kind of key. */
export type KeyKind = (typeof keyKinds)[number];

/** Both sides of a join. */
interface JoinTables {
  /** `key`, and `value`: the number of the row. */
  readonly probe: readonly RecordBatch[];
  /** `key`, `number` (1 to 1019) and `label` (12 bytes). */
  readonly build: readonly RecordBatch[];
}

/** Makes both sides. */
export async function joinTables(
  kind: KeyKind,
  numProbeRows: number,
  numBuildRows: number,
): Promise<JoinTables> {
  const numIds = Math.ceil(numBuildRows / MATCHING);
  const keyColumn = await keyMaker(kind, numIds);
  const random = randomNumbers(1);
  const probe = slices(numProbeRows, (start, length) => {
    const ids = Int32Array.from({ length }, () => random() % numIds);
    const value = int64Column(Int32Array.from({ length }, (_, row) => start + row));
    return recordBatch({ key: keyColumn(ids), value });
  });
  const order = shuffled(numBuildRows);
  const build = slices(numBuildRows, (start, length) => {
    const ids = order.subarray(start, start + length);
    const number = int64Column(ids.map((id) => (id * 7) % 1019 + 1));
    return recordBatch({ key: keyColumn(ids), number, label: numberedColumn("row ", ids, 8) });
  });
  return { probe, build };
}

function slices(
  numRows: number,
  make: (start: number, length: number) => RecordBatch,
): RecordBatch[] {
  return Array.from({ length: Math.ceil(numRows / BATCH_ROWS) }, (_, index) => {
    const start = index * BATCH_ROWS;
    return make(start, Math.min(BATCH_ROWS, numRows - start));
  });
}

/** Returns the numbers below `count`, shuffled. */
export function shuffled(count: number, random: () => number = randomNumbers(2)): Int32Array {
  const numbers = Int32Array.from({ length: count }, (_, index) => index);
  for (let last = count - 1; last > 0; last--) {
    const other = random() % (last + 1);
    const number = numbers[last]!;
    numbers[last] = numbers[other]!;
    numbers[other] = number;
  }
  return numbers;
}

/** Returns a function that makes keys of ids. Different ids have different keys, spread over all values. */
async function keyMaker(kind: KeyKind, numIds: number): Promise<(ids: Int32Array) => Data> {
  switch (kind) {
    case "int32":
      return (ids) => int32Column(ids.map(scatter));
    case "int64":
      return (ids) => int64Column(ids.map(scatter));
    case "12-byte text":
      return (ids) => numberedColumn("", ids.map((id) => scatter(id) & 0x3fffffff), 12);
    case "names": {
      const names = await placeNames(numIds);
      return (ids) => textColumn(names, ids);
    }
  }
}

/** Maps ids to numbers. An odd factor is a bijection, in the low bits too. */
function scatter(id: number): number {
  return Math.imul(id + 1, 0x2545f491);
}

/** Returns names of towns; if there are too few, of airports and towns. */
async function placeNames(count: number): Promise<string[]> {
  const towns = await distinct(zipcodesFile, "city");
  const mixed = shuffled(towns.length);
  if (count <= towns.length) return Array.from({ length: count }, (_, id) => towns[mixed[id]!]!);
  const airports = await distinct(airportsFile, "name");
  const numPairs = towns.length * airports.length;
  if (count > numPairs) throw new RangeError(`There are ${numPairs} names, not ${count}`);
  return Array.from({ length: count }, (_, id) => {
    const town = towns[mixed[id % towns.length]!]!;
    return `${airports[Math.floor(id / towns.length)]!}, ${town}`;
  });
}

async function distinct(path: string, column: string): Promise<string[]> {
  const names = new Set<string>();
  const engine = createEngine({ device: "cpu" });
  for await (const batch of read(path, { columns: [column], engine })) {
    for (const name of batch.getChild(column)!) if (name !== null) names.add(name);
  }
  return [...names];
}
