/** Cases of joins on a backend, judged by comparing every row with every other. */

import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import type { KeyType, TableRequest } from "../../../gpu/backend.ts";
import { type ColumnType, type HostColumn, releaseColumn } from "../../../gpu/column/column.ts";
import { sliceColumn } from "../../../gpu/column/slice.ts";
import { type JoinHow, joinKinds } from "../../../gpu/join_kind.ts";
import { type JoinedRows, joinOn } from "../joins/backend_joins.ts";
import { atMost, tableRequest } from "../joins/table_request.ts";
import {
  CARRIED_TYPES,
  columnOfPlain,
  type Plain,
  plainOf,
  randomColumn,
} from "../models/column_model.ts";
import { forSeeds, type SeededRandom } from "../random/seeded_random.ts";
import { fewOr } from "../random/test_size.ts";
import { columnOf, stringColumn, valuesOf } from "../values/host_columns.ts";
import type { BackendCase, CaseScope } from "./backend_case.ts";
import { KEY_32, KEY_64, KEY_TEXT, type KeyCase, keyColumn, randomKeys } from "./join_keys.ts";
import { joinPairs, matchesOf } from "../models/join_pairs.ts";

const STRING: ColumnType = { kind: "string" };
const INT32: ColumnType = { kind: "int", bits: 32, signed: true };
const INT64: ColumnType = { kind: "int", bits: 64, signed: true };

const NULL_KEY = Symbol("null");
const KINDS = Object.keys(joinKinds) as JoinHow[];

/** Registers all cases of joins. `keys` are the types of keys that they are tried with. */
export function joinCases(
  test: BackendCase,
  { keys }: { readonly keys: readonly KeyCase[] },
): void {
  for (const keyCase of keys) {
    test(
      `joins by ${keyCase.name} agree with brute force`,
      (scope) =>
        forSeeds(
          scope.amount({ host: fewOr(4, 15), device: 1 }),
          (random) => checkJoin(scope, random, keyCase),
        ),
    );
  }
  carriedColumnsCase(test);
  keyCases(test);
  resultCases(test);
}

/** Registers the case that joins columns of all types. */
export function carriedColumnsCase(test: BackendCase): void {
  test("joins carry columns of every type of both sides", (scope) =>
    forSeeds(scope.amount({ host: fewOr(10, 30), device: 2 }), async (random) => {
      const side = (length: number) => {
        const keys = Array.from({ length }, () => random.chance(0.1) ? null : random.below(20));
        const columns = CARRIED_TYPES.map((type) => randomColumn(random, type, length));
        return { key: columnOf(INT32, keys), keys, columns };
      };
      const [build, probe] = [side(random.below(40)), side(random.below(200))];
      const placed = await Promise.all(
        probe.columns.map((column) => random.chance(0.5) ? scope.place(column) : column),
      );
      for (const how of ["inner", "left"] as const) {
        const request = tableRequest(build.key, KEY_32, build.columns, how);
        const batch = { key: probe.key, columns: placed };
        const maxRows = random.pick([7, 100, 1_000]);
        const { probed } = await joinOn(scope.backend, request, [batch], atMost(maxRows));
        assert(probed.sizes.every((size) => size <= maxRows));
        const { pairs } = expectedRows(build.keys, probe.keys, how);
        const expected = [
          ...probe.columns.map((column) => rowsAt(column, pairs.map(([row]) => row))),
          ...build.columns.map((column) => rowsAt(column, pairs.map(([, row]) => row))),
        ];
        assertEquals(probed.columns.map(plainOf), expected, how);
      }
      placed.forEach(releaseColumn);
    }));
}

/** Registers cases of keys that a sloppy join takes for one another. */
function keyCases(test: BackendCase): void {
  test("text is not matched by text of which it is a part, or with zero bytes behind", async (scope) => {
    const probe = columnOfPlain(STRING, ["a\0", "\0", "abcde", "abcd\0", "a", "", "abcd", "zz"]);
    const matches = await firstMatches(
      scope,
      KEY_TEXT,
      columnOfPlain(STRING, ["a", "", "abcd"]),
      probe,
    );
    assertEquals(matches, [-1, -1, -1, -1, 0, 1, 2, -1]);
  });

  test("tables of a few slots find keys behind their end, and tell like keys apart", (scope) =>
    forSeeds(scope.amount({ host: fewOr(80, 300), device: 1 }), async (random) => {
      // All words of a key but one are the same as in many others.
      const number = () => random.pick([1n, 2n ** 32n]) * BigInt(5 + 9 * random.below(50));
      const text = () => {
        const words = ["abcd", "efgh", "ijkl"];
        words[random.below(3)] = `#${100 + random.below(50)}`;
        return words.join("");
      };
      const cases: [KeyType, ColumnType, () => Plain][] = [
        [KEY_32, INT32, () => BigInt.asIntN(32, 1_000_003n * number())],
        [KEY_64, INT64, number],
        [KEY_TEXT, STRING, () => text().slice(0, 8)],
        [KEY_TEXT, STRING, text],
        [KEY_TEXT, STRING, () => `${text()}${text()}`],
      ];
      for (const [keyType, type, make] of cases) {
        const keys = Array.from({ length: 1 + random.below(4) }, make);
        const probed = Array.from({ length: 20 }, make);
        assertEquals(
          await firstMatches(
            scope,
            keyType,
            columnOfPlain(type, keys),
            columnOfPlain(type, probed),
          ),
          probed.map((key) => keys.indexOf(key)),
        );
      }
    }));

  test("keys that 32 bits hold are not taken for those of 64 bits with the same low word", (scope) =>
    forSeeds(scope.amount({ host: fewOr(6, 20), device: 1 }), async (random) => {
      for (const signed of [true, false]) {
        const type: ColumnType = { kind: "int", bits: 64, signed };
        const value = (word: bigint) => signed ? BigInt.asIntN(64, word) : BigInt.asUintN(64, word);
        // Too far apart for an array, which would have no use for words.
        const words = Array.from({ length: 1 + random.below(3000) }, () => {
          const word = BigInt(random.below(2 ** 31));
          return signed && random.chance(0.5) ? -word : word;
        });
        const build = words.map((word) => random.chance(0.1) ? null : value(word));
        const probe = Array.from({ length: 500 }, () => {
          const high = BigInt(random.pick([0, 0, 0, 0, -1, 1, 2 ** 31, random.below(2 ** 32)]));
          return value(BigInt.asUintN(32, random.pick(words)) ^ (high << 32n));
        });
        const known = new Map<Plain, number>();
        build.forEach((key, row) => key !== null && !known.has(key) && known.set(key, row));
        // In the place of a null lies any number.
        const values = build.map((plain) => plain === null ? random.next() * 2 ** 64 : plain);
        const data = new Uint8Array(BigInt64Array.from(values, (plain) => BigInt(plain)).buffer);
        const key = { ...columnOfPlain(type, build), data };
        assertEquals(
          await firstMatches(scope, KEY_64, key, columnOfPlain(type, probe)),
          probe.map((key) => known.get(key) ?? -1),
        );
      }
    }));

  test("long text with the same 32-bit hash is told apart", async (scope) => {
    // Of 300,000 texts about ten pairs share a hash.
    const length = scope.amount({ host: 300_000, device: 50_000 });
    const texts = Array.from({ length }, (_, row) => `a long prefix ${row * 7919}`);
    const key = columnOfPlain(STRING, texts);
    const matches = await firstMatches(scope, KEY_TEXT, key, key);
    assert(matches.every((found, row) => found === row));
  });

  test("tables larger than a cache find the same rows, for every width of key", async (scope) => {
    const length = scope.amount({ host: 70_000, device: 10_000 });
    const numbers = Array.from({ length }, (_, row) => BigInt(row) * 1_000_003n);
    const probed = numbers.map((_, row) => numbers[(row * 7919) % (2 * length)] ?? -5n);
    const texts: ((value: bigint) => string)[] = [
      (value) =>
        String.fromCharCode(
          ...[0, 7, 14, 21].map((at) => Number((value >> BigInt(at)) & 127n) || 1),
        ),
      (value) => `${value % 100_000_007n}`.slice(0, 8),
      (value) => `${value}`.padStart(12, "0"),
      (value) => `${value}`.padStart(40, "prefix"),
    ];
    const int32 = (value: bigint) => BigInt.asIntN(32, value);
    await check(INT32, KEY_32, numbers.map(int32), probed.map(int32));
    await check(INT64, KEY_64, numbers, probed);
    for (const text of texts) await check(STRING, KEY_TEXT, numbers.map(text), probed.map(text));

    async function check(type: ColumnType, keyType: KeyType, build: Plain[], probe: Plain[]) {
      const first = new Map<Plain, number>();
      build.forEach((key, row) => first.has(key) || first.set(key, row));
      assertEquals(
        await firstMatches(scope, keyType, columnOfPlain(type, build), columnOfPlain(type, probe)),
        probe.map((key) => first.get(key) ?? -1),
      );
    }
  });

  test("keys of another type than the table's are refused", async (scope) => {
    const columns: Readonly<Record<string, [KeyType, HostColumn]>> = {
      int: [KEY_32, columnOf(INT32, [1])],
      string: [KEY_TEXT, stringColumn(["1"])],
    };
    for (const [build, probe] of [["int", "string"], ["string", "int"]] as const) {
      const [keyType, key] = columns[build]!;
      const batch = { key: columns[probe]![1], columns: [] };
      await assertRejects(
        () => joinOn(scope.backend, tableRequest(key, keyType, []), [batch], atMost(10)),
        TypeError,
        `${probe} keys`,
      );
    }
  });
}

/** Registers cases of results: their number, their sizes, and columns that pass through. */
function resultCases(test: BackendCase): void {
  test("where every probe row matches once, its columns are the same objects", async ({ backend }) => {
    const buildKey = stringColumn(["b", "a", null]);
    const key = stringColumn(["a", "b", "a"]);
    for (const how of ["inner", "left"] as const) {
      const table = await backend.buildTable(tableRequest(buildKey, KEY_TEXT, [buildKey], how));
      const [result, ...others] = await Array.fromAsync(
        backend.probe(table, key, [key], 3, atMost(100)),
      );
      assertStrictEquals(result!.columns[0], key);
      assertEquals(others, []);
      result!.columns.forEach(releaseColumn);
      table.release();
    }
  });

  test("unique build keys give each row at most one pair, in results of any size", (scope) =>
    forSeeds(1, async (random) => {
      const keys = Array.from({ length: 300 }, (_, row) => row % 7 === 3 ? null : 600 - 2 * row);
      const probed = Array.from({ length: 1_000 + random.below(300) }, () => random.below(800));
      for (const how of ["inner", "left"] as const) {
        for (const maxRows of [130, 1_024, 5_000]) {
          await checkRows(scope, keys, probed, how, maxRows);
        }
      }
    }));

  test("one key that most rows of both sides have is joined in bounded results", async (scope) => {
    const keys = Array.from({ length: 700 }, (_, row) => row % 10 === 0 ? row : 7);
    await checkRows(scope, keys, keys, "inner", 1000);
  });

  test("one row with many matches comes in several results", async (scope) => {
    const probed = await checkRows(scope, Array(1_000).fill(7), [1, 7, 2, 7], "left", 600);
    assertEquals(probed.sizes, [600, 600, 600, 202]);
  });

  test("few rows of a long build side have a key, and some share theirs", async (scope) => {
    const keys = Array.from({ length: 100_000 }, (_, row) => row < 8 ? row % 3 : null);
    await checkRows(scope, keys, [2, null, 1, 5], "inner", 100);
  });

  test("an empty side, and no match, give one result without rows", async (scope) => {
    for (
      const [build, probe] of [[[], []], [[1, 1], []], [[], [1, null]], [[2, null], [1, null]]]
    ) {
      const { sizes } = await checkRows(scope, build!, probe!, "inner", 10);
      assertEquals(sizes, [0]);
    }
    const { sizes } = await checkRows(scope, [], [1, null], "left", 10);
    assertEquals(sizes, [2]);
  }, { mayIdle: true });
}

/** Joins random keys in every way, and compares rows, their order and sizes with brute force. */
async function checkJoin(scope: CaseScope, random: SeededRandom, keyCase: KeyCase): Promise<void> {
  const { keyType, build, probe, value } = keyCase;
  const pool = Array.from({ length: 1 + random.below(40) }, () => value(random));
  const buildKey = keyColumn(random, build, randomKeys(random, pool));
  const probePool = random.chance(0.5) ? pool : [...pool, value(random)];
  const probeKey = keyColumn(random, probe, randomKeys(random, probePool));
  const [buildKeys, probeKeys] = [plainOf(buildKey), plainOf(probeKey)];
  const payload = numbered(buildKeys.length);
  const numbers = numbered(probeKeys.length);
  const maxRows = random.pick([1, 7, 64, 10_000]);
  for (const how of KINDS) {
    const nullsEqual = random.chance(0.5);
    const request: TableRequest = {
      ...{ key: buildKey, keyType, how, nullsEqual },
      ...{ payload: [payload], buildOnlyPayload: [buildKey] },
    };
    // In two batches, so that the matches of both are remembered.
    const middle = random.below(probeKeys.length + 1);
    const batches = [[0, middle], [middle, probeKeys.length]].map(([start, stop]) => {
      const columns = [numbers, probeKey].map((column) => sliceColumn(column, start!, stop!));
      return { key: columns[1]!, columns };
    });
    const { probed, last } = await joinOn(scope.backend, request, batches, atMost(maxRows));
    assertSizes(probed.sizes, maxRows, batches.length);
    assertSizes(last.sizes, maxRows, 1);
    const expected = expectedRows(buildKeys, probeKeys, how, nullsEqual);
    const [rows, keys, builds] = probed.columns.map(plainOf);
    assertEquals(rows ?? [], expected.pairs.map(([row]) => BigInt(row)), how);
    assertEquals(keys ?? [], expected.pairs.map(([row]) => probeKeys[row]!), how);
    if (joinKinds[how].matchedRows === "each") {
      assertEquals(builds, expected.pairs.map(([, row]) => row < 0 ? null : BigInt(row)), how);
    }
    const [lastRows, lastKeys] = last.columns.map(plainOf);
    assertEquals(last.sizes.length > 0, joinKinds[how].buildOnlyRows !== "none");
    assertEquals(lastRows ?? [], expected.last.map(BigInt), how);
    assertEquals(lastKeys ?? [], expected.last.map((row) => buildKeys[row]!), how);
  }
}

/** Asserts that results are small, and that at most one result of each input is empty. */
function assertSizes(sizes: readonly number[], maxRows: number, numInputs: number): void {
  assert(sizes.every((size) => size <= maxRows), `${sizes}`);
  assert(sizes.filter((size) => size === 0).length <= numInputs, `${sizes}`);
}

/** Joins row numbers of both sides by int32 keys, and compares with brute force. */
async function checkRows(
  scope: CaseScope,
  build: readonly (number | null)[],
  probe: readonly (number | null)[],
  how: "inner" | "left",
  maxRows: number,
): Promise<JoinedRows> {
  const request = tableRequest(columnOf(INT32, build), KEY_32, [numbered(build.length)], how);
  const batch = { key: columnOf(INT32, probe), columns: [numbered(probe.length)] };
  const { probed } = await joinOn(scope.backend, request, [batch], atMost(maxRows));
  assert(probed.sizes.every((size) => size <= maxRows));
  const { pairs } = expectedRows(build, probe, how);
  assertEquals(probed.columns.map(valuesOf), [
    pairs.map(([row]) => row),
    pairs.map(([, row]) => row < 0 ? null : row),
  ]);
  return probed;
}

/** Returns the first build row with the key of each probe row, or -1. */
async function firstMatches(
  scope: CaseScope,
  keyType: KeyType,
  build: HostColumn,
  probe: HostColumn,
): Promise<number[]> {
  const request = tableRequest(build, keyType, [numbered(build.length)], "left");
  const batch = { key: probe, columns: [numbered(probe.length)] };
  const { probed } = await joinOn(scope.backend, request, [batch], atMost(1 << 16));
  const [rows, builds] = probed.columns.map(valuesOf);
  const matches: number[] = [];
  rows!.forEach((row, at) => matches[row as number] ??= (builds![at] ?? -1) as number);
  return matches;
}

/** A column of row numbers. */
function numbered(length: number): HostColumn {
  return columnOf(INT32, Array.from({ length }, (_, row) => row));
}

/** Returns the values of rows; null for -1. */
function rowsAt(column: HostColumn, rows: readonly number[]): Plain[] {
  const values = plainOf(column);
  return rows.map((row) => row < 0 ? null : values[row]!);
}

/**
 * Returns the pairs of probe row and build row, -1 for none, and the build rows that come last. In the
 * place of a null lies a key of its own where nulls are equal.
 */
function expectedRows(
  build: readonly (Plain | number)[],
  probe: readonly (Plain | number)[],
  how: JoinHow,
  nullsEqual = false,
): { readonly pairs: [probe: number, build: number][]; readonly last: number[] } {
  const keysOf = (keys: readonly (Plain | number)[]) =>
    nullsEqual ? keys.map((key) => key ?? NULL_KEY) : keys;
  const rows = joinPairs(matchesOf(keysOf(probe), keysOf(build)), build.length, how);
  return {
    pairs: rows.flatMap(([row, other]) => row === null ? [] : [[row, other ?? -1]]),
    last: rows.flatMap(([row, other]) => row === null ? [other!] : []),
  };
}
