/**
 * Joins of many rows, a tenth of which have one key: their results come in many batches. DuckDB returns
 * the numbers of the rows that meet, and their order.
 */

import { assert, assertEquals } from "@std/assert";
import { Field, Int32, Int64, type RecordBatch, Utf8 } from "apache-arrow";
import type { JoinHow } from "../../../gpu/join_kind.ts";
import { type Engine, fromBatches, join, type JoinOptions } from "../../../mod.ts";
import { joinSides } from "../../fuzz/duck_joins.ts";
import { batchOfColumns, columnOfValues } from "../values/arrow_columns.ts";
import { valuesOf } from "../values/arrow_values.ts";
import { loadPeer } from "../judges/peers.ts";
import { SeededRandom } from "../random/seeded_random.ts";

/** What is joined. */
export interface LargeJoin {
  readonly how: JoinHow;
  readonly keys: "int32" | "int64" | "text";
  readonly nullsEqual?: boolean;
  /** Rows of the stream and of the build side. */
  readonly rows: readonly [left: number, right: number];
  /** Rows of their batches. */
  readonly batchRows: readonly [left: number, right: number];
}

const PEOPLE = [
  "Grace Hopper",
  "José Núñez",
  "Łukasz Żak",
  "山田 太郎",
  "김민수",
  "",
  "Σωκράτης 🙂",
];

/** One side: numbers of keys, null at times, and the batches. */
interface Side {
  readonly keys: readonly (number | null)[];
  readonly batches: readonly RecordBatch[];
}

/** The text of a row; null for each seventh. */
function textOf(row: number): string | null {
  return row % 7 === 6 ? null : `${PEOPLE[row % 5]} ${row % 1000}`;
}

function keyOf(key: number | null, keys: LargeJoin["keys"]): unknown {
  if (key === null) return null;
  if (keys === "int32") return key;
  // Integers of which many share the lower 32 bits, and texts that share more bytes than a word has.
  return keys === "int64" ? BigInt(key) << 32n | BigInt(key % 50) : `a street of Łódź, ${key}`;
}

function sideOf(
  random: SeededRandom,
  { keys, rows, batchRows }: LargeJoin,
  at: 0 | 1,
  names: readonly [row: string, key: string, text: string],
): Side {
  const numbers = Array.from({ length: rows[at] }, () => {
    if (random.chance(0.02)) return null;
    return random.chance(0.1) ? 0 : random.below(2 * rows[1]);
  });
  const types = { int32: new Int32(), int64: new Int64(), text: new Utf8() };
  const fields = [new Int32(), types[keys], new Utf8()]
    .map((type, index) => new Field(names[index]!, type, true));
  const batches: RecordBatch[] = [];
  for (let start = 0; start < rows[at]; start += batchRows[at]) {
    const own = numbers.slice(start, start + batchRows[at]);
    const columns = [
      own.map((_, row) => start + row),
      own.map((key) => keyOf(key, keys)),
      own.map((_, row) => textOf(start + row)),
    ];
    batches.push(
      batchOfColumns(
        fields,
        columns.map((values, index) => columnOfValues(random, fields[index]!.type, values)),
      ),
    );
  }
  return { keys: numbers, batches };
}

/** The numbers of the rows that meet, as DuckDB has them; -1 for none. */
async function expectedPairs({ how, nullsEqual }: LargeJoin, left: Side, right: Side) {
  const { DuckDBInstance } = await loadPeer("duckdb");
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  for (const [name, { keys }] of [["left", left], ["right", right]] as const) {
    const list = keys.map((key) => key ?? "NULL").join();
    await connection.run(
      `CREATE TABLE ${name === "left" ? "l" : "r"} AS
        SELECT unnest(range(${keys.length}))::INT AS _${name}, unnest([${list}]::INT[]) AS k`,
    );
  }
  const on = how === "cross" ? "" : `ON l.k ${nullsEqual ? "IS NOT DISTINCT FROM" : "="} r.k`;
  const [ofLeft, ofRight] = [
    how.startsWith("right-") ? "NULL" : "_left",
    /^(semi|anti)$/.test(how) ? "NULL" : "_right",
  ];
  const reader = await connection.runAndReadAll(
    `SELECT coalesce(a, -1)::INT, coalesce(b, -1)::INT
     FROM (SELECT ${ofLeft} AS a, ${ofRight} AS b FROM ${joinSides[how]} ${on})
     ORDER BY a NULLS LAST, b NULLS LAST`,
  );
  const [a, b] = reader.getColumns() as [number[], number[]];
  connection.closeSync();
  return { left: a ?? [], right: b ?? [] };
}

/** Runs the join on an engine, and checks every row, its order, and the size of every batch. */
export async function assertLargeJoin(engine: Engine, given: LargeJoin): Promise<void> {
  const random = new SeededRandom(given.rows[0] + given.rows[1]);
  const left = sideOf(random, given, 0, ["row", "key", "name"]);
  const right = sideOf(random, given, 1, ["place", "code", "city"]);
  const expected = await expectedPairs(given, left, right);
  const { how, nullsEqual = false } = given;
  const options = how === "cross"
    ? { how, engine }
    : { on: { key: "code" }, how, nullsEqual, engine };
  const stream = fromBatches(left.batches, { engine })
    .pipeThrough(join(fromBatches(right.batches, { engine }), options as JoinOptions));
  const { resultRows } = await engine.backend();
  let numRows = 0;
  for await (const batch of stream) {
    assert(batch.numRows <= resultRows, `${batch.numRows} rows in a batch`);
    checkBatch(batch, numRows, { left, right }, expected, given);
    numRows += batch.numRows;
  }
  assertEquals(numRows, expected.left.length, `rows of ${how}`);
}

function checkBatch(
  batch: RecordBatch,
  first: number,
  sides: { readonly left: Side; readonly right: Side },
  expected: { readonly left: readonly number[]; readonly right: readonly number[] },
  { how, keys }: LargeJoin,
): void {
  const columns = new Map(
    batch.schema.names.map((name, index) => [String(name), valuesOf(batch.data.children[index]!)]),
  );
  for (let row = 0; row < batch.numRows; row++) {
    const [l, r] = [expected.left[first + row]!, expected.right[first + row]!];
    const leftKey = l < 0 ? null : sides.left.keys[l]!;
    const key = l < 0 && (how === "right" || how === "full") ? sides.right.keys[r]! : leftKey;
    const wanted: Record<string, unknown> = {
      row: l < 0 ? null : l,
      key: keyOf(key, keys),
      name: l < 0 ? null : textOf(l),
      place: r < 0 ? null : r,
      code: r < 0 ? null : keyOf(sides.right.keys[r]!, keys),
      city: r < 0 ? null : textOf(r),
    };
    for (const [name, values] of columns) {
      if (values[row] === wanted[name]) continue;
      assertEquals(values[row], wanted[name], `${how} by ${keys}: ${name} of row ${first + row}`);
    }
  }
}
