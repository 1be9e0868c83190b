import { assert, assertEquals } from "@std/assert";
import type { ColumnType, HostColumn } from "../../../../gpu/column/column.ts";
import { encodeKey } from "../../../../gpu/key/encode_key.ts";
import { type KeyType, keyTypeOf } from "../../../../gpu/key/key_layout.ts";
import { KeySet } from "../../../../gpu/key/key_set.ts";
import { columnOfPlain, type Plain, slicedColumn } from "../../../support/models/column_model.ts";
import { intOf, keyRows, randomParts, sideOf } from "../../../support/random/random_keys.ts";
import { Draws, forSeeds } from "../../../support/random/seeded_random.ts";

const KEY32: KeyType = { kind: "int", bits: 32 };
const KEY64: KeyType = { kind: "int", bits: 64 };
const TEXT: KeyType = { kind: "string" };
const STRING: ColumnType = { kind: "string" };
const UINT32: ColumnType = { kind: "int", bits: 32, signed: false };

/** Adds batch after batch; returns the batch and the row of the first key that was there before. */
function firstRepeat(set: KeySet, batches: readonly HostColumn[]): [number, number] | null {
  for (const [batch, key] of batches.entries()) {
    const row = set.add(key);
    if (row >= 0) return [batch, row];
  }
  return null;
}

Deno.test("the first key that was there before is found, in the row where it is", () => {
  const draws = new Draws(["int", "string", "a repeat", "no repeat", "a second null"]);
  return forSeeds(300, (random) => {
    const [nullsEqual, several] = [random.chance(0.5), random.chance(0.5)];
    const parts = randomParts(random, several ? 2 : 1);
    const set = new KeySet(keyTypeOf(parts, nullsEqual), nullsEqual);
    draws.add(keyTypeOf(parts, nullsEqual).kind);
    const seen = new Set<string | null>();
    let expected: [number, number] | null = null;
    const batches = Array.from({ length: 3 }, (_, batch) => {
      const side = sideOf(random, parts, random.below(4));
      keyRows(side.rows, parts, nullsEqual).forEach((key, row) => {
        if (key === null && !nullsEqual) return;
        if (seen.has(key) && expected === null) {
          expected = [batch, row];
          if (key === null) draws.add("a second null");
        }
        seen.add(key);
      });
      return encodeKey(side.columns, parts, nullsEqual);
    });
    draws.add(expected === null ? "no repeat" : "a repeat");
    assertEquals(firstRepeat(set, batches), expected);
    if (expected === null) assertEquals(set.size, seen.size);
  }, draws);
});

/** Keys of the types that a set treats in its own way, each by its number; all of them are different. */
const MANY_KEYS: readonly [name: string, KeyType, ColumnType, (row: number) => Plain][] = [
  ["mixed", KEY32, intOf(32), (row) => BigInt(Math.imul(row, 0x9e3779b1))],
  ["counted", KEY32, intOf(32), (row) => BigInt(row)],
  ["counted down", KEY64, intOf(64), (row) => BigInt(10_000 - row)],
  ["both ways", KEY64, intOf(32), (row) => BigInt(row % 2 === 0 ? row : -row)],
  ["around 2^31", KEY64, UINT32, (row) => BigInt(2 ** 31 - 10_000 + row)],
  ["up to 2^32", KEY32, UINT32, (row) => BigInt(2 ** 32 - 1 - row)],
  ["across 2^53", KEY64, intOf(64), (row) => 2n ** 53n - 10_000n + BigInt(row)],
  ["times in ns", KEY64, intOf(64), (row) => 1_700_000_000_000_000_000n + BigInt(row)],
  ["high words", KEY64, intOf(64), (row) => BigInt(row - 10_000) << 32n],
  ["from near to far", KEY64, intOf(64), (row) => BigInt(row < 9_000 ? row : row ** 3)],
  ["from far to near", KEY64, intOf(64), (row) => BigInt(row < 2 ? -(2 ** 40) : row) + BigInt(row)],
  ["text", TEXT, STRING, (row) => `${"é".repeat(row % 7)}${row}`],
];

for (const [name, keyType, type, value] of MANY_KEYS) {
  Deno.test(`many keys in many batches stay apart, and each is found again: ${name}`, () =>
    forSeeds(1, (random) => {
      const set = new KeySet(keyType, false);
      const batches: HostColumn[] = [];
      // A set takes 512 rows at a time, so that these are one block, whole blocks, and several with a rest.
      for (let start = 0; start < 20_000;) {
        const numRows = Math.min(random.pick([100, 511, 512, 513, 1_024, 1_700]), 20_000 - start);
        const rows = Array.from({ length: numRows }, (_, row) => value(start + row));
        batches.push(slicedColumn(random, type, random.chance(0.5) ? rows : [null, ...rows]));
        start += numRows;
      }
      assertEquals(firstRepeat(set, batches), null);
      assertEquals(set.size, 20_000);
      for (const row of [0, 1, 8_999, 9_000, 17_777, 19_999]) {
        assertEquals(set.add(slicedColumn(random, type, [null, value(row)])), 1, `${value(row)}`);
      }
      assertEquals(set.size, 20_000);
    }));
}

Deno.test("keys that lie close together take little memory, in whatever order they come", () => {
  const bytesOf = (value: (row: number) => bigint) => {
    const set = new KeySet(KEY64, false);
    for (let batch = 0; batch < 40; batch++) {
      const rows = Array.from({ length: 500 }, (_, row) => value(500 * batch + row));
      assertEquals(set.add(columnOfPlain(intOf(64), rows)), -1);
    }
    return set.numBytes;
  };
  for (
    const value of [
      (row: number) => row,
      (row: number) => -row,
      (row: number) => (7919 * row) % 20_000,
    ]
  ) {
    assert(bytesOf((row) => BigInt(value(row))) <= 8192);
  }
  assert(bytesOf((row) => BigInt(row) << 20n) >= 8 * 20_000);
});

Deno.test("texts of one hash are told apart", () => {
  // Of so many about ten pairs share a hash of 32 bits, whatever the hash is.
  const texts = Array.from({ length: 300_000 }, (_, row) => `key ${row}`);
  const set = new KeySet(TEXT, false);
  assertEquals(set.add(columnOfTexts(texts)), -1);
  assertEquals(set.size, texts.length);
  assertEquals(set.add(columnOfTexts(["key 300000", "key 116874"])), 1);
});

Deno.test("nulls are keys of a set only where they are equal", () => {
  for (const [keyType, type] of [[KEY32, intOf(32)], [TEXT, STRING]] as const) {
    const nulls = columnOfPlain(type, [null, null]);
    assertEquals(new KeySet(keyType, false).add(nulls), -1);
    assertEquals(new KeySet(keyType, true).add(nulls), 1);
    const set = new KeySet(keyType, true);
    assertEquals(set.add(columnOfPlain(type, [null])), -1);
    assertEquals(set.size, 1);
    assertEquals(set.add(nulls), 0);
  }
});

function columnOfTexts(texts: readonly string[]): HostColumn {
  const offsets = new Int32Array(texts.length + 1);
  texts.forEach((text, row) => offsets[row + 1] = offsets[row]! + text.length);
  const data = new TextEncoder().encode(texts.join(""));
  const frame = { place: "host", type: STRING, length: texts.length, children: [] } as const;
  return { ...frame, nullCount: 0, validity: null, data, offsets };
}
