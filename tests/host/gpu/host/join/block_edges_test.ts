import { assertEquals } from "@std/assert";
import type { KeyType, ResultRows, TableRequest } from "../../../../../gpu/backend.ts";
import type { ColumnType, HostColumn } from "../../../../../gpu/column/column.ts";
import { FIRST_FACTORS } from "../../../../../gpu/host/table/hash_index.ts";
import { BLOCK_ROWS } from "../../../../../gpu/key/key_words.ts";
import { givesProbeRows, type JoinHow, joinKinds } from "../../../../../gpu/join_kind.ts";
import { type Plain, plainOf, slicedColumn } from "../../../../support/models/column_model.ts";
import {
  joinOn,
  openJoinThreads,
  type ProbeBatch,
} from "../../../../support/joins/join_threads.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";
import { atMost, tableRequest } from "../../../../support/joins/table_request.ts";
import { assertSameColumn } from "../../../../support/processes/threads.ts";
import { until } from "../../../../support/running/until.ts";
import { fewOr } from "../../../../support/random/test_size.ts";
import { joinPairs, matchesOf } from "../../../../support/models/join_pairs.ts";

const INT32: ColumnType = { kind: "int", bits: 32, signed: true };
const INT64: ColumnType = { kind: "int", bits: 64, signed: true };
const STRING: ColumnType = { kind: "string" };
const HOWS = Object.keys(joinKinds).filter((how) => how !== "cross") as JoinHow[];
const SIZES = [0, 1, -1, BLOCK_ROWS - 1, BLOCK_ROWS, BLOCK_ROWS + 1, 2 * BLOCK_ROWS + 1];

/** Numbers that the first factor of hash tables puts into slots side by side. */
const clumped = (() => {
  let inverse = 1;
  for (let round = 0; round < 5; round++) {
    inverse = Math.imul(inverse, 2 - Math.imul(FIRST_FACTORS[0], inverse));
  }
  return (id: number) => Math.imul(inverse, id + 1);
})();

/** Keys of each width; different numbers give different ones. */
const KEYS: Readonly<
  Record<string, { keyType: KeyType; type: ColumnType; keyOf(id: number): Plain }>
> = {
  "32 bits": {
    keyType: { kind: "int", bits: 32 },
    type: INT32,
    keyOf: (id) => BigInt(Math.imul(id + 1, 0x2545f491)),
  },
  "32 bits, clumped": {
    keyType: { kind: "int", bits: 32 },
    type: INT32,
    keyOf: (id) => BigInt(clumped(id)),
  },
  "64 bits that fit into 32": {
    keyType: { kind: "int", bits: 64 },
    type: INT64,
    keyOf: (id) => BigInt(clumped(id)),
  },
  "64 bits": {
    keyType: { kind: "int", bits: 64 },
    type: INT64,
    keyOf: (id) => BigInt.asIntN(64, BigInt(id + 1) * 0x2545f4914f6cdd1dn),
  },
  "short text": {
    keyType: { kind: "string" },
    type: STRING,
    keyOf: (id) => `Ý ${id.toString(36)}`,
  },
  "long text": {
    keyType: { kind: "string" },
    type: STRING,
    keyOf: (id) => `${id} is the number of this key, Jiří`,
  },
};

interface Case {
  readonly request: TableRequest;
  readonly batches: readonly ProbeBatch[];
  /** The rows that come out: those of the batches and then those of the build side by itself. */
  readonly probed: readonly Plain[][];
  readonly last: readonly Plain[][];
  readonly what: string;
}

/** A join of build sides of about a block or two, with few or many rows of each key. */
function randomCase(random: SeededRandom, draws: Draws): Case {
  const form = random.pick(Object.keys(KEYS));
  const how = random.pick(HOWS);
  const picked = random.pick(SIZES);
  const numBuild = picked < 0 ? random.below(3 * BLOCK_ROWS) : picked;
  const nulls = random.pick([0, 0.1]);
  const isUnique = random.chance(0.5);
  const numIds = isUnique ? numBuild : 1 + random.below(1 + numBuild);
  const { keyType, type, keyOf } = KEYS[form]!;
  const keysOf = (numRows: number, idOf: (row: number) => number) =>
    Array.from({ length: numRows }, (_, row) => random.chance(nulls) ? null : keyOf(idOf(row)));
  const buildKeys = keysOf(numBuild, (row) => isUnique ? row : random.below(numIds));
  const numbers = Array.from({ length: numBuild }, (_, row) => BigInt(row));
  const labels = numbers.map((row) => row % 7n === 0n ? null : `row ${row}`);
  const payload = [slicedColumn(random, INT64, numbers), slicedColumn(random, STRING, labels)];
  const key = slicedColumn(random, type, buildKeys);
  const sides = Array.from({ length: 1 + random.below(4) }, () => {
    const numRows = random.pick([0, 1, 7, BLOCK_ROWS - 1, BLOCK_ROWS, BLOCK_ROWS + 1, 1500]);
    const keys = keysOf(numRows, () => random.below(1 + Math.ceil(numIds / 0.8)));
    return { keys, values: keys.map(() => BigInt(random.below(1000))) };
  });
  const batches = sides.map(({ keys, values }) => ({
    key: slicedColumn(random, type, keys),
    columns: [slicedColumn(random, INT64, values)],
  }));
  draws.add(form);
  draws.add(how);
  const rowOf = (row: number): Plain[] => [numbers[row]!, labels[row]!];
  const wanted = expectedRows(how, buildKeys, sides, rowOf);
  const what = `${how} by ${form}, ${numBuild} rows`;
  return { request: tableRequest(key, keyType, payload, how), batches, ...wanted, what };
}

function expectedRows(
  how: JoinHow,
  buildKeys: readonly Plain[],
  sides: readonly { readonly keys: readonly Plain[]; readonly values: readonly Plain[] }[],
  rowOf: (row: number) => Plain[],
): Pick<Case, "probed" | "last"> {
  const keys = sides.flatMap(({ keys }) => keys);
  const values = sides.flatMap(({ values }) => values);
  const all = joinPairs(matchesOf(keys, buildKeys), buildKeys.length, how);
  const pairs = joinKinds[how].matchedRows === "each";
  return {
    probed: all.flatMap(([row, other]) => {
      if (row === null) return [];
      if (!pairs) return [[values[row]!]];
      return [[values[row]!, ...(other === null ? [null, null] : rowOf(other))]];
    }),
    last: all.flatMap(([row, other]) => row === null ? [rowOf(other!)] : []),
  };
}

/** The rows of results, as many columns as a row has. */
function rowsOf(results: readonly ResultRows[], numColumns: number): Plain[][] {
  return results.filter(({ columns }) => columns.length === numColumns).flatMap(
    ({ columns, numRows }) => {
      const values = columns.map((column) => plainOf(column as HostColumn));
      return Array.from({ length: numRows }, (_, row) => values.map((column) => column[row]!));
    },
  );
}

Deno.test("joins agree with brute force where the build side ends at a block", async () => {
  using threads = await openJoinThreads();
  const draws = new Draws([...HOWS, ...Object.keys(KEYS)]);
  const check = async (random: SeededRandom) => {
    const { request, batches, probed, last, what } = randomCase(random, draws);
    const limits = atMost(random.pick([100, 4096]));
    const here = await joinOn(undefined, request, batches, limits);
    const there = await joinOn(threads, request, batches, limits);
    const kind = joinKinds[request.how];
    if (givesProbeRows(kind)) {
      assertEquals(rowsOf(here, kind.matchedRows === "each" ? 3 : 1), [...probed], what);
    }
    assertEquals(rowsOf(here, 2), [...last], what);
    assertEquals(there.map(({ numRows }) => numRows), here.map(({ numRows }) => numRows), what);
    there.forEach(({ columns }, index) =>
      columns.forEach((column, place) => {
        const other = here[index]!.columns[place] as HostColumn;
        assertSameColumn(column as HostColumn, other, `${what}, result ${index}, ${place}`);
      })
    );
  };
  await forSeeds(fewOr(15, 150), check, draws);
  await until(() => threads.numTheirs > 30, "a worker does some", () => forSeeds(20, check));
  assertEquals(threads.numFailed, 0);
});
