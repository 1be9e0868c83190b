/** Joins of two random tables by their keys, through join(), and what must come out. */

import * as arrow from "apache-arrow";
import { type JoinHow, joinHows } from "../../../gpu/join_kind.ts";
import { type Engine, fromBatches, join, toTable } from "../../../mod.ts";
import {
  keyData,
  type KeyKind,
  type KeyValue,
  randomKeyValues,
  storedValue,
  valuesOfType,
} from "./join_keys.ts";
import type { SeededRandom } from "../random/seeded_random.ts";
import { surroundBatch } from "../values/surround_data.ts";
import { joinPairs, matchesOf, type RowPair } from "../models/join_pairs.ts";

/** The kinds of joins that have keys. */
export const KEYED_HOWS = joinHows.filter((how) => how !== "cross");

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
  readonly how: Exclude<JoinHow, "cross">;
  readonly nullsEqual: boolean;
}

/** Random tables with keys of these kinds, and a random way to join them. */
export function randomKeyJoin(random: SeededRandom, kinds: readonly KeyKind[]): KeyJoin {
  const sizes = () => random.pick([[5, 0, 12], [1], [0], [9, 8], [30]]);
  return {
    kinds,
    left: randomSide(random, kinds, "left", sizes()),
    right: randomSide(random, kinds, "right", sizes()),
    how: random.pick(KEYED_HOWS),
    nullsEqual: random.chance(0.5),
  };
}

/** Each batch is made separately: a dictionary column has another dictionary in each. */
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

/** The result of join(). */
export async function joinByKeys(
  engine: Engine,
  { left, right, kinds, how, nullsEqual }: KeyJoin,
): Promise<arrow.Table> {
  const on = kinds.map((_, at) => [`left_${at}`, `right_${at}`] as const);
  const build = fromBatches(right.batches as arrow.RecordBatch[], { engine });
  const stream = fromBatches(left.batches as arrow.RecordBatch[], { engine });
  return await toTable(stream.pipeThrough(join(build, { on, how, nullsEqual })));
}

/** The pairs of rows of a result, in its order. */
export function pairsOf(table: arrow.Table): RowPair[] {
  const [left, right] = ["left_row", "right_row"].map((name) => table.getChild(name));
  return Array.from(
    { length: table.numRows },
    (_, at) => [left?.get(at) ?? null, right?.get(at) ?? null],
  );
}

/** The pairs of rows with equal keys, as the kind of join wants them, row by row. */
export function expectedPairs({ left, right, kinds, how, nullsEqual }: KeyJoin): RowPair[] {
  const keysOf = ({ rows, types }: Side) =>
    rows.map((row) => {
      if (!nullsEqual && row.includes(null)) return null;
      const parts = row.map((value, at) =>
        value === null ? "null" : `=${kinds[at]!.identity(value, types[at]!)}`
      );
      return parts.join("|");
    });
  return joinPairs(matchesOf(keysOf(left), keysOf(right)), right.rows.length, how);
}

/** The values of the first key of a right or full join with these pairs. */
export function keyValuesOf(
  { left, right, how }: KeyJoin,
  pairs: readonly RowPair[],
): KeyValue[] {
  const valueOf = ({ rows, types }: Side, row: number) => storedValue(rows[row]![0], types[0]!);
  return pairs.map(([l, r]) => {
    const isOfRight = l === null || (how === "right" && r !== null);
    return isOfRight ? valueOf(right, r!) : valueOf(left, l);
  });
}

/** A query for the same pairs in DuckDB, which knows the keys of all these kinds. */
export function pairsInSql({ left, right, kinds, how, nullsEqual }: KeyJoin): string {
  const columns = ["i", ...kinds.map((_, at) => `k${at}`)];
  const tableOf = ({ rows, types }: Side) => {
    const valueOf = (value: KeyValue, at: number) =>
      value === null ? "NULL" : kinds[at]!.sql!(value, types[at]!);
    // The first row determines the types of a table without rows.
    const first = kinds.map((kind, at) => valuesOfType(kind, types[at]!)[0]);
    const values = [first, ...rows].map((row, at) =>
      `(${[at - 1, ...row.map(valueOf)].join(", ")})`
    );
    return `(SELECT * FROM (VALUES ${values.join(", ")}) t(${columns.join(", ")}) WHERE i >= 0)`;
  };
  const equal = nullsEqual ? "IS NOT DISTINCT FROM" : "=";
  const on = columns.slice(1).map((name) => `l.${name} ${equal} r.${name}`).join(" AND ");
  const [l, r] = [`${tableOf(left)} l`, `${tableOf(right)} r`];
  switch (how) {
    case "semi":
    case "anti":
      return `SELECT l.i AS l, NULL AS r FROM ${l} ${how} JOIN ${r} ON ${on}`;
    case "right-semi":
    case "right-anti":
      return `SELECT NULL AS l, r.i AS r FROM ${r} ${how.slice(6)} JOIN ${l} ON ${on}`;
    default:
      return `SELECT l.i AS l, r.i AS r FROM ${l} ${how} JOIN ${r} ON ${on}`;
  }
}
