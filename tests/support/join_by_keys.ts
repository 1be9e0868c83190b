/** Joins of two random tables by their keys, through join(), and what must come out. */

import * as arrow from "apache-arrow";
import { type Engine, fromBatches, join, type JoinOptions, toTable } from "../../mod.ts";
import {
  keyData,
  type KeyKind,
  type KeyValue,
  randomKeyValues,
  valuesOfType,
} from "./join_keys.ts";
import type { SeededRandom } from "./seeded_random.ts";
import { surroundBatch } from "./surround_data.ts";

/** A row of the left side and a row of the right one, or none. */
export type RowPair = readonly [left: number, right: number | null];

/** A table with the number of each row and its keys, in some batches. */
interface Side {
  readonly batches: readonly arrow.RecordBatch[];
  readonly types: readonly arrow.DataType[];
  /** The keys of each row. */
  readonly rows: readonly (readonly KeyValue[])[];
}

/** Two tables and how to join them. */
export interface KeyJoin {
  readonly kinds: readonly KeyKind[];
  readonly left: Side;
  readonly right: Side;
  readonly how: "inner" | "left";
}

/** Random tables with keys of these kinds. */
export function randomKeyJoin(random: SeededRandom, kinds: readonly KeyKind[]): KeyJoin {
  const sizes = () => random.pick([[5, 0, 12], [1], [0], [9, 8], [30]]);
  return {
    kinds,
    left: randomSide(random, kinds, "left", sizes()),
    right: randomSide(random, kinds, "right", sizes()),
    how: random.pick(["inner", "left"]),
  };
}

/** Each batch is made by itself: a dictionary column has another dictionary in each. */
function randomSide(
  random: SeededRandom,
  kinds: readonly KeyKind[],
  side: "left" | "right",
  sizes: readonly number[],
): Side {
  const types = kinds.map((kind) => kind[side]);
  const rows: (readonly KeyValue[])[] = [];
  const batches = sizes.map((numRows) => {
    const first = rows.length;
    const columns = kinds.map((kind, at) => randomKeyValues(random, kind, types[at]!, numRows));
    for (let row = 0; row < numRows; row++) rows.push(columns.map((values) => values[row]));
    return surroundBatch(batchOf(side, types, columns, first, numRows), random);
  });
  return { batches, types, rows };
}

function batchOf(
  side: "left" | "right",
  types: readonly arrow.DataType[],
  columns: readonly (readonly KeyValue[])[],
  first: number,
  numRows: number,
): arrow.RecordBatch {
  const ids = Int32Array.from({ length: numRows }, (_, row) => first + row);
  const children = [
    arrow.makeData({ type: new arrow.Int32(), data: ids }),
    ...columns.map((values, at) => keyData(types[at]!, values)),
  ];
  const fields = [
    new arrow.Field(`${side}_row`, new arrow.Int32(), false),
    ...types.map((type, at) => new arrow.Field(`${side}_${at}`, type, true)),
  ];
  const type = new arrow.Struct(fields);
  const data = arrow.makeData({ type, length: numRows, nullCount: 0, children });
  return new arrow.RecordBatch(new arrow.Schema(fields), data);
}

/** The pairs of rows that join() gives, in its order. */
export async function joinedPairs(
  engine: Engine,
  { left, right, kinds, how }: KeyJoin,
  options: Partial<JoinOptions> = {},
): Promise<RowPair[]> {
  const on = Object.fromEntries(kinds.map((_, at) => [`left_${at}`, `right_${at}`]));
  const build = fromBatches(right.batches as arrow.RecordBatch[], { engine });
  const joined = fromBatches(left.batches as arrow.RecordBatch[], { engine })
    .pipeThrough(join(build, { on, how, ...options } as JoinOptions));
  const table = await toTable(joined);
  const [ofLeft, ofRight] = ["left_row", "right_row"].map((name) => table.getChild(name)!);
  return Array.from({ length: table.numRows }, (_, at) => [ofLeft!.get(at), ofRight!.get(at)]);
}

/** The pairs of rows with equal keys, row by row. */
export function pairsByLoops({ left, right, kinds, how }: KeyJoin, nullsEqual = false): RowPair[] {
  const keysOf = ({ rows, types }: Side) =>
    rows.map((row) => {
      if (!nullsEqual && row.includes(null)) return null;
      return row.map((value, at) =>
        value === null ? "" : `=${kinds[at]!.identity(value, types[at]!)}`
      )
        .join("|");
    });
  const [leftKeys, rightKeys] = [keysOf(left), keysOf(right)];
  return leftKeys.flatMap((key, row): RowPair[] => {
    const found = [...rightKeys.keys()].filter((other) => key !== null && rightKeys[other] === key);
    if (found.length === 0) return how === "left" ? [[row, null]] : [];
    return found.map((other) => [row, other]);
  });
}

/** A query for the same pairs in DuckDB, which knows the keys of all these kinds. */
export function pairsInSql({ left, right, kinds, how }: KeyJoin, nullsEqual = false): string {
  const columns = ["i", ...kinds.map((_, at) => `k${at}`)];
  const tableOf = ({ rows, types }: Side) => {
    const valueOf = (value: KeyValue, at: number) =>
      value === null ? "NULL" : kinds[at]!.sql!(value, types[at]!);
    // The first row gives the types of a table that has no others.
    const first = kinds.map((kind, at) => valuesOfType(kind, types[at]!)[0]);
    const values = [first, ...rows].map((row, at) =>
      `(${[at - 1, ...row.map(valueOf)].join(", ")})`
    );
    return `(SELECT * FROM (VALUES ${values.join(", ")}) t(${columns.join(", ")}) WHERE i >= 0)`;
  };
  const equal = nullsEqual ? "IS NOT DISTINCT FROM" : "=";
  const on = columns.slice(1).map((name) => `l.${name} ${equal} r.${name}`).join(" AND ");
  return `SELECT l.i AS l, r.i AS r FROM ${tableOf(left)} l ${how} JOIN ${
    tableOf(right)
  } r ON ${on}`;
}
