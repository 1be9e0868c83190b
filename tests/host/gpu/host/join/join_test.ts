import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import type { KeyType, ResultRows } from "../../../../../gpu/backend.ts";
import { type JoinHow, joinKinds } from "../../../../../gpu/join_kind.ts";
import { atMost, tableRequest } from "../../../../support/joins/table_request.ts";
import type { ColumnType, HostColumn } from "../../../../../gpu/column/column.ts";
import { FIRST_FACTORS } from "../../../../../gpu/host/table/hash_index.ts";
import { HostJoinTable } from "../../../../../gpu/host/join/join_table.ts";
import { buildOnlyRowsOf, probeTable } from "../../../../../gpu/host/join/probe.ts";
import { sliceColumn } from "../../../../../gpu/column/slice.ts";
import {
  ALL_TYPES,
  columnOfPlain,
  type Plain,
  plainOf,
  randomText,
  randomValues,
  surrounded,
} from "../../../../support/models/column_model.ts";
import { processorMs } from "../../../../support/processes/processor_time.ts";
import { forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";
import { fewOr } from "../../../../support/random/test_size.ts";

const STRING: ColumnType = { kind: "string" };
const INT32: ColumnType = { kind: "int", bits: 32, signed: true };
const INT64: ColumnType = { kind: "int", bits: 64, signed: true };
const STRING_KEY: KeyType = { kind: "string" };
const KEY32: KeyType = { kind: "int", bits: 32 };
const KEY64: KeyType = { kind: "int", bits: 64 };

/** How keys of a join are typed, and what their values are drawn from. */
interface KeyCase {
  readonly name: string;
  readonly keyType: KeyType;
  readonly build: ColumnType;
  readonly probe: ColumnType;
  readonly value: (random: SeededRandom) => Plain;
}

/** Integers that a sloppy comparison, hash or range takes for one another. */
const TRICKY = [0n, 1n, -1n, 2n ** 31n, 2n ** 32n, 2n ** 53n, 2n ** 63n, -(2n ** 53n), 2n ** 62n]
  .flatMap((value) => [value - 1n, value, value + 1n]);

const KEY_CASES: readonly KeyCase[] = [
  ...intCases(KEY32, [8, 16, 32], true, [8, 16, 32], true),
  ...intCases(KEY32, [8, 16, 32], false, [8, 16, 32], false),
  ...intCases(KEY32, [8, 16], false, [16, 32], true),
  ...intCases(KEY64, [8, 16, 32, 64], true, [8, 32, 64], true),
  ...intCases(KEY64, [8, 32, 64], false, [16, 32, 64], false),
  ...intCases(KEY64, [16, 32], false, [32, 64], true),
  ...[3, 4, 8, 12, 30].map((size): KeyCase => ({
    name: `strings of up to ${size} characters`,
    keyType: STRING_KEY,
    build: STRING,
    probe: STRING,
    value: (random) => keyText(random, size),
  })),
  {
    name: "short strings, probed with longer ones and ones that end in zero bytes",
    keyType: STRING_KEY,
    build: STRING,
    probe: STRING,
    value: (random) => random.pick(["", "a", "ab", "abc", "abcd", "abcde", "a\0", "a\0\0", "\0"]),
  },
];

for (const { name, keyType, build, probe, value } of KEY_CASES) {
  Deno.test(`joins by ${name} agree with brute force`, () =>
    forSeeds(fewOr(4, 15), (random) => {
      const pool = Array.from({ length: 1 + random.below(40) }, () => value(random));
      const buildKeys = randomKeys(random, pool);
      const probeKeys = randomKeys(random, random.chance(0.5) ? pool : [...pool, value(random)]);
      checkJoin(
        random,
        keyType,
        placed(random, build, buildKeys),
        placed(random, probe, probeKeys),
      );
    }));
}

Deno.test("a short build side is not matched by text that its packed form would cut", () => {
  const table = tableOf(columnOfPlain(STRING, ["a", "", "abcd"]), STRING_KEY, []);
  const probe = columnOfPlain(STRING, ["a\0", "\0", "abcde", "abcd\0", "a", "", "abcd", "zz"]);
  assertEquals([...rowsOf(table, probe)], [-1, -1, -1, -1, 0, 1, 2, -1]);
});

Deno.test("every payload type comes out as it went in", () =>
  forSeeds(fewOr(10, 30), (random) => {
    const keys = randomValues(random, { kind: "int", bits: 8, signed: true }, 30, 0.1);
    const buildKey = columnOfPlain({ kind: "int", bits: 8, signed: true }, keys);
    const payload = ALL_TYPES.map((type) =>
      columnOfPlain(type, randomValues(random, type, keys.length, 0.2))
    );
    const rows = plainOf(buildKey).map((_, row) => row);
    const table = tableOf(buildKey, KEY32, payload, "left");
    const results = [...probeTable(table, buildKey, [], atMost(7))];
    const { pairs: expected } = bruteForce(keys, keys, "left");
    ALL_TYPES.forEach((_, at) => {
      const values = plainOf(payload[at]!);
      assertEquals(
        results.flatMap((result) => plainOf(result.columns[at] as HostColumn)),
        expected.map(([, buildRow]) => buildRow < 0 ? null : values[rows[buildRow]!]!),
      );
    });
  }));

Deno.test("one key that holds nine tenths of both sides is joined in bounded pieces", () => {
  const keys = Array.from({ length: 700 }, (_, row) => row % 10 === 0 ? BigInt(row) : 7n);
  const table = tableOf(columnOfPlain(INT64, keys), KEY64, [columnOfPlain(INT64, keys)]);
  const { pairs: expected } = bruteForce(keys, keys, "inner");
  let numRows = 0;
  for (const result of probeTable(table, columnOfPlain(INT64, keys), [], atMost(1000))) {
    assert(result.numRows <= 1000);
    const values = plainOf(result.columns[0] as HostColumn);
    values.forEach((value, at) => {
      if (value !== keys[expected[numRows + at]![1]]) throw new Error(`row ${numRows + at}`);
    });
    numRows += result.numRows;
  }
  assertEquals(numRows, expected.length);
});

Deno.test("keys that were chosen to share a slot are joined in little time", () => {
  // The inverse of the factor turns a small number into a key whose hash starts with zeros.
  let inverse = 1;
  for (let round = 0; round < 5; round++) {
    inverse = Math.imul(inverse, 2 - Math.imul(FIRST_FACTORS[0], inverse));
  }
  const join = (factor: number) => {
    const keys = Array.from({ length: 50_000 }, (_, row) => BigInt(Math.imul(factor, row + 1)));
    const column = columnOfPlain(INT32, keys);
    const rows = Int32Array.from(keys, (_, row) => row);
    const started = processorMs();
    for (const keyType of [KEY32, KEY64]) {
      assertEquals(rowsOf(tableOf(column, keyType, []), column), rows);
    }
    return processorMs() - started;
  };
  const others = [1, 3, 5].map(join);
  // Chains through all keys would need 10^9 steps for each of the four passes: thousands of times
  // as long as other keys take, on however busy a machine.
  assert(join(inverse) < 200 * Math.max(...others));
});

Deno.test("texts that differ in bits that products keep are joined in little time", () => {
  // For each of some bits: the highest bit of one word, and what it would become in the next one.
  const numBits = 15;
  const join = (places: readonly number[]) => {
    const length = 2 ** numBits;
    const data = new Uint8Array(16 * numBits * length);
    for (let row = 0; row < length; row++) {
      for (let bit = 0; bit < numBits; bit++) {
        if (((row >> bit) & 1) === 0) continue;
        for (const place of places) data[16 * (row * numBits + bit) + place] = 0x80;
      }
    }
    const offsets = Int32Array.from({ length: length + 1 }, (_, row) => 16 * numBits * row);
    const key = { ...columnOfPlain(STRING, []), length, data, offsets };
    const started = processorMs();
    assertEquals(
      rowsOf(tableOf(key, STRING_KEY, []), key),
      offsets.subarray(0, length).map((_, row) => row),
    );
    return processorMs() - started;
  };
  const others = [[6], [3, 11], [1, 9, 10]].map(join);
  // If all shared their hash, it would be half a billion comparisons for each of two passes.
  assert(join([7, 11, 15]) < 20 * Math.max(...others));
});

Deno.test("tables of a few slots find keys behind their end, and tell like keys apart", () =>
  forSeeds(fewOr(80, 300), (random) => {
    // All words of a key but one are the same as in many others.
    const number = () => random.pick([1n, 2n ** 32n]) * BigInt(5 + 9 * random.below(50));
    const text = () => {
      const words = ["abcd", "efgh", "ijkl"];
      words[random.below(3)] = `#${100 + random.below(50)}`;
      return words.join("");
    };
    const cases: [KeyType, ColumnType, () => Plain][] = [
      [KEY32, INT32, () => BigInt.asIntN(32, 1_000_003n * number())],
      [KEY64, INT64, number],
      [STRING_KEY, STRING, () => text().slice(0, 8)],
      [STRING_KEY, STRING, text],
      [STRING_KEY, STRING, () => `${text()}${text()}`],
    ];
    for (const [keyType, type, make] of cases) {
      const keys = Array.from({ length: 1 + random.below(4) }, make);
      const probed = Array.from({ length: 20 }, make);
      const table = tableOf(columnOfPlain(type, keys), keyType, []);
      assertEquals(
        [...rowsOf(table, columnOfPlain(type, probed))],
        probed.map((key) => keys.indexOf(key)),
      );
    }
  }));

Deno.test("keys that 32 bits hold are not taken for those of 64 bits with the same low word", () =>
  forSeeds(fewOr(6, 20), (random) => {
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
        [...rowsOf(tableOf(key, KEY64, []), columnOfPlain(type, probe))],
        probe.map((key) => known.get(key) ?? -1),
      );
    }
  }));

Deno.test("long text with the same 32-bit hash is told apart", () => {
  // Among so many texts about ten pairs share a hash.
  const texts = Array.from({ length: 300_000 }, (_, row) => `a long prefix ${row * 7919}`);
  const key = columnOfPlain(STRING, texts);
  const table = tableOf(key, STRING_KEY, []);
  assertEquals(table.groups !== null, false);
  assert(rowsOf(table, key).every((found, row) => found === row));
});

Deno.test("tables larger than the cache find the same rows, for every width of key", () => {
  const numbers = Array.from({ length: 70_000 }, (_, row) => BigInt(row) * 1_000_003n);
  const probed = numbers.map((_, row) => numbers[(row * 7919) % 140_000] ?? -5n);
  const expected = Int32Array.from(numbers, (_, row) => {
    const found = (row * 7919) % 140_000;
    return found < numbers.length ? found : -1;
  });
  const texts: ((value: bigint) => string)[] = [
    (value) =>
      String.fromCharCode(...[0, 7, 14, 21].map((at) => Number((value >> BigInt(at)) & 127n) || 1)),
    (value) => `${value % 100_000_007n}`.slice(0, 8),
    (value) => `${value}`.padStart(12, "0"),
    (value) => `${value}`.padStart(40, "prefix"),
  ];
  const int32 = (value: bigint) => BigInt.asIntN(32, value);
  check(INT32, KEY32, numbers.map(int32), probed.map(int32));
  check(INT64, KEY64, numbers, probed);
  for (const text of texts) check(STRING, STRING_KEY, numbers.map(text), probed.map(text));

  function check(type: ColumnType, keyType: KeyType, build: Plain[], probe: Plain[]) {
    const table = tableOf(columnOfPlain(type, build), keyType, []);
    const found = rowsOf(table, columnOfPlain(type, probe));
    assertEquals(table.groups !== null, new Set(build).size < build.length);
    if (table.groups === null) assertEquals(found, expected);
    else found.forEach((row, at) => assertEquals(build[row], probe[at]));
  }
});

Deno.test("where every probe row matches once, its columns are the same objects", () => {
  const buildKey = columnOfPlain(STRING, ["b", "a", null]);
  const key = columnOfPlain(STRING, ["a", "b", "a"]);
  for (const how of ["inner", "left"] as const) {
    const table = tableOf(buildKey, STRING_KEY, [buildKey], how);
    const [result, ...others] = probeTable(table, key, [key], atMost(100));
    assertStrictEquals(result!.columns[0], key);
    assertEquals(others, []);
  }
});

Deno.test("no match and no rows give one result without rows", () => {
  const table = tableOf(columnOfPlain(INT32, [1n, 1n]), KEY32, [
    columnOfPlain(STRING, ["x", "y"]),
  ]);
  for (const keys of [[2n, 3n], []]) {
    const key = columnOfPlain(INT32, keys);
    const results = [...probeTable(table, key, [key], atMost(10))];
    assertEquals(results.map((result) => result.numRows), [0]);
    assertEquals(results[0]!.columns.map((column) => column.length), [0, 0]);
  }
});

Deno.test("few rows of a long build side have a key, and some share theirs", () => {
  // The rows by their key are at the end of the memory of the table.
  const keys = Array.from({ length: 100_000 }, (_, row) => row < 8 ? BigInt(row % 3) : null);
  const table = tableOf(columnOfPlain(INT32, keys), KEY32, []);
  const probe = columnOfPlain(INT32, [2n, null, 1n, 5n]);
  const results = [...probeTable(table, probe, [probe], atMost(100))];
  assertEquals(columnRows(results, 0), [2n, 2n, 1n, 1n, 1n]);
});

Deno.test("a key of the wrong type is refused", () => {
  const flags = columnOfPlain({ kind: "bool" }, [true]);
  const table = tableOf(columnOfPlain(STRING, ["a"]), STRING_KEY, []);
  assertThrows(() => tableOf(flags, KEY32, []), TypeError, "bool keys");
  assertThrows(() => tableOf(flags, STRING_KEY, []), TypeError, "bool keys");
  assertThrows(
    () => tableOf(columnOfPlain(INT64, [1n]), KEY32, []),
    TypeError,
    "64 bits",
  );
  assertThrows(() => table.find(flags), TypeError, "bool keys");
});

/** Joins in every way and compares rows, order, sizes and payload with brute force. */
function checkJoin(
  random: SeededRandom,
  keyType: KeyType,
  buildKey: HostColumn,
  probeKey: HostColumn,
): void {
  const buildKeys = plainOf(buildKey);
  const probeKeys = plainOf(probeKey);
  const payload = columnOfPlain(INT32, buildKeys.map((_, row) => BigInt(row)));
  const number = columnOfPlain(INT64, probeKeys.map((_, row) => BigInt(row)));
  const maxRows = random.pick([1, 7, 64, 10_000]);
  const known = buildKeys.filter((key) => key !== null);
  assertEquals(tableOf(buildKey, keyType, []).groups !== null, new Set(known).size < known.length);
  for (const how of Object.keys(joinKinds) as JoinHow[]) {
    const nullsEqual = random.below(2) === 0;
    const request = { ...tableRequest(buildKey, keyType, [payload], how), nullsEqual };
    const table = new HostJoinTable({ ...request, buildOnlyPayload: [buildKey] });
    const results: ResultRows[] = [];
    // In two batches, so that the matches of both are remembered.
    const middle = random.below(probeKeys.length + 1);
    for (const [start, stop] of [[0, middle], [middle, probeKeys.length]] as const) {
      const batch = [number, probeKey].map((column) => sliceColumn(column, start, stop));
      const own = [...probeTable(table, batch[1]!, batch, atMost(maxRows))];
      assertAtMost(own, maxRows);
      results.push(...own);
    }
    const expected = bruteForce(buildKeys, probeKeys, how, nullsEqual);
    const { matchedRows, buildOnlyRows } = joinKinds[how];
    assertEquals(columnRows(results, 0), expected.pairs.map(([row]) => BigInt(row)));
    assertEquals(columnRows(results, 1), expected.pairs.map(([row]) => probeKeys[row]!));
    if (matchedRows === "each") {
      const builds = expected.pairs.map(([, row]) => row < 0 ? null : BigInt(row));
      assertEquals(columnRows(results, 2), builds);
    }
    const last = [...buildOnlyRowsOf(table, atMost(maxRows))];
    assertAtMost(last, maxRows);
    assertEquals(last.length > 0, buildOnlyRows !== "none");
    assertEquals(columnRows(last, 0), expected.last.map(BigInt));
    assertEquals(columnRows(last, 1), expected.last.map((row) => buildKeys[row]!));
  }
}

function assertAtMost(results: readonly ResultRows[], maxRows: number): void {
  const isSmall = results.every(({ numRows }) =>
    numRows <= maxRows && (numRows > 0 || results.length === 1)
  );
  assertEquals(isSmall, true);
}

function columnRows(results: readonly ResultRows[], at: number): Plain[] {
  return results.flatMap((result) => {
    const column = result.columns[at] as HostColumn;
    assertEquals(column.length, result.numRows);
    return plainOf(column);
  });
}

/**
 * Pairs of probe row and build row (-1 without one, or where only the probe row comes out), and the
 * build rows that come last, by comparing every row with every other.
 */
function bruteForce(
  buildKeys: readonly Plain[],
  probeKeys: readonly Plain[],
  how: JoinHow,
  nullsEqual = false,
): { readonly pairs: [number, number][]; readonly last: number[] } {
  const rows = new Map<Plain, number[]>();
  buildKeys.forEach((key, row) => {
    if (key !== null || nullsEqual) rows.set(key, [...rows.get(key) ?? [], row]);
  });
  const pairs = probeKeys.flatMap((key, row): [number, number][] => {
    const found = rows.get(key) ?? [];
    if (how === "semi") return found.length > 0 ? [[row, -1]] : [];
    if (how === "anti") return found.length > 0 ? [] : [[row, -1]];
    if (how === "right-semi" || how === "right-anti") return [];
    if (found.length > 0) return found.map((buildRow) => [row, buildRow]);
    return how === "left" || how === "full" ? [[row, -1]] : [];
  });
  const probed = new Set(probeKeys.filter((key) => rows.has(key)));
  const isMatched = (key: Plain) => probed.has(key);
  const all = buildKeys.map((_, row) => row);
  if (how === "right-semi") return { pairs, last: all.filter((row) => isMatched(buildKeys[row]!)) };
  const givesLast = how === "right" || how === "full" || how === "right-anti";
  return { pairs, last: givesLast ? all.filter((row) => !isMatched(buildKeys[row]!)) : [] };
}

function tableOf(...request: Parameters<typeof tableRequest>): HostJoinTable {
  return new HostJoinTable(tableRequest(...request));
}

/** For each probe row the first row with its key, or -1. */
function rowsOf(table: HostJoinTable, key: HostColumn): Int32Array {
  return table.find(key).map((found) => found - 1);
}

/** Keys from a pool: none, few or many, with nulls, at times nearly all the same. */
function randomKeys(random: SeededRandom, pool: readonly Plain[]): Plain[] {
  const nulls = random.pick([0, 0.2]);
  const skew = random.pick([0, 0, 0.9]);
  const distinct = random.chance(0.3);
  const keys = distinct ? [...new Set(pool)] : Array.from(
    { length: random.pick([0, 1, random.below(100)]) },
    () => random.chance(skew) ? pool[0]! : random.pick(pool),
  );
  return keys.map((key) => random.chance(nulls) ? null : key);
}

function placed(random: SeededRandom, type: ColumnType, keys: readonly Plain[]): HostColumn {
  const column = columnOfPlain(type, keys.map((key) => wrapped(type, key)));
  return random.chance(0.5) ? column : surrounded(random, column, sliceColumn);
}

/** Integers as their type can hold them. */
function wrapped(type: ColumnType, key: Plain): Plain {
  if (type.kind !== "int" || typeof key !== "bigint") return key;
  return type.signed ? BigInt.asIntN(type.bits, key) : BigInt.asUintN(type.bits, key);
}

function intCases(
  keyType: KeyType,
  buildBits: readonly (8 | 16 | 32 | 64)[],
  buildSigned: boolean,
  probeBits: readonly (8 | 16 | 32 | 64)[],
  probeSigned: boolean,
): KeyCase[] {
  return buildBits.flatMap((bits, at) => {
    const build = { kind: "int", bits, signed: buildSigned } as const;
    const probe = {
      kind: "int",
      bits: probeBits[at % probeBits.length]!,
      signed: probeSigned,
    } as const;
    const bases = [0n, 100n, 2n ** 31n, 2n ** 32n - 8n, 2n ** 63n - 8n];
    const title = (type: ColumnType & { kind: "int" }) =>
      `${type.signed ? "" : "u"}int${type.bits}`;
    const common = { keyType, build, probe };
    return [
      {
        ...common,
        name: `${title(build)} and ${title(probe)} far apart`,
        value: (random: SeededRandom) => random.pick(TRICKY),
      },
      {
        ...common,
        name: `${title(build)} and ${title(probe)} close together`,
        value: (random: SeededRandom) => random.pick(bases.slice(0, 1)) + BigInt(random.below(50)),
      },
      ...bases.map((base) => ({
        ...common,
        name: `${title(build)} and ${title(probe)} from ${base} on`,
        value: (random: SeededRandom) => base + BigInt(random.below(20)),
      })),
    ];
  });
}

/** Text of at most `size` bytes with a shared beginning, or of any kind. */
function keyText(random: SeededRandom, size: number): string {
  if (size > 12 && random.chance(0.3)) return randomText(random);
  const text = random.pick(["", "shared prefix of text ", "𝄞→é"]) + random.below(30);
  const bytes = new TextEncoder().encode(text).slice(random.below(4));
  return new TextDecoder().decode(bytes.slice(0, size)).replaceAll("\ufffd", "");
}
