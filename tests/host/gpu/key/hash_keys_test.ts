import { assert, assertEquals, assertThrows } from "@std/assert";
import type { ColumnType } from "../../../../gpu/column/column.ts";
import { sliceColumn } from "../../../../gpu/column/slice.ts";
import { hashKeys } from "../../../../gpu/key/hash_keys.ts";
import {
  columnOfPlain,
  type Plain,
  plainOf,
  randomColumn,
  slicedColumn,
} from "../../../support/models/column_model.ts";
import { murmur3 } from "../../../support/models/murmur3.ts";
import { intOf } from "../../../support/random/random_keys.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";

const STRING: ColumnType = { kind: "string" };

/** The bytes that are hashed: of an integer those of 64 bits, of null none. */
function bytesOf(value: Plain): Uint8Array {
  if (typeof value === "string") return new TextEncoder().encode(value);
  if (value === null) return new Uint8Array(0);
  return Uint8Array.from(
    { length: 8 },
    (_, at) => Number(value as bigint >> BigInt(8 * at) & 255n),
  );
}

Deno.test("a hash is the MurmurHash3 of the key, an integer being its 8 bytes", () =>
  forSeeds(50, (random) => {
    const seed = random.below(2 ** 32);
    const bits = random.pick([8, 16, 32, 64] as const);
    const types: ColumnType[] = [STRING, intOf(bits), { kind: "int", bits, signed: false }];
    for (const type of types) {
      const key = randomColumn(random, type, 40);
      const hashes = hashKeys(key, seed);
      assertEquals([...hashes], plainOf(key).map((value) => murmur3(bytesOf(value), seed)));
      const start = random.below(40);
      assertEquals(hashKeys(sliceColumn(key, start, 40), seed), hashes.subarray(start));
    }
  }));

Deno.test("an integer has one hash in every type that holds it, a null one in every type", () =>
  forSeeds(5, (random) => {
    const types = ([8, 16, 32, 64] as const).flatMap((bits) =>
      [true, false].map((signed) => ({
        kind: "int" as const,
        bits,
        signed,
      }))
    );
    const hashes = new Set<number>();
    for (const type of types) hashes.add(hashKeys(slicedColumn(random, type, [5n]), 7)[0]!);
    assertEquals(hashes.size, 1);
    for (const type of [...types, STRING]) {
      hashes.add(hashKeys(slicedColumn(random, type, [null]), 7)[0]!);
    }
    assertEquals(hashes.size, 2);
    const [one, other] = [intOf(8), intOf(64)].map((type) =>
      hashKeys(columnOfPlain(type, [-3n]), 7)
    );
    assertEquals(one, other);
  }));

Deno.test("the high bits part keys evenly, and another seed parts them anew", () => {
  const numKeys = 1 << 14;
  const rows = Array.from({ length: numKeys }, (_, row) => row);
  const keys: [string, ColumnType, Plain[]][] = [
    ["counted", intOf(32), rows.map((row) => BigInt(row))],
    ["even", intOf(64), rows.map((row) => BigInt(row) << 20n)],
    ["high words", intOf(64), rows.map((row) => BigInt(row) << 40n)],
    [
      "times of a day",
      intOf(64),
      rows.map((row) => 1_700_000_000_000_000n + BigInt(row) * 5_273_437n),
    ],
    ["text", STRING, rows.map((row) => `N${row}`)],
  ];
  for (const [name, type, values] of keys) {
    const key = columnOfPlain(type, values);
    const [first, second] = [hashKeys(key, 0), hashKeys(key, 1)];
    const counts = (hashes: Iterable<number>) => {
      const counts = new Array(16).fill(0);
      for (const hash of hashes) counts[hash >>> 28]++;
      return counts;
    };
    // The counts of 16 parts lie within 6 standard deviations of an even share.
    const isEven = (parts: number[], total: number) =>
      parts.every((count) => Math.abs(count - total / 16) < 6 * Math.sqrt(total / 16));
    assert(isEven(counts(first), numKeys), `${name}: ${counts(first)}`);
    const within = second.filter((_, row) => first[row]! >>> 28 === 3);
    assert(isEven(counts(within), within.length), `${name} within a part: ${counts(within)}`);
  }
});

Deno.test("hashKeys() refuses what is no key", () => {
  assertThrows(
    () => hashKeys(columnOfPlain({ kind: "bool" }, []), 0),
    TypeError,
    "Cannot hash bool",
  );
});
