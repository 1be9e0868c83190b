import { assert, assertEquals } from "@std/assert";
import type { ColumnType, HostColumn } from "../../../../gpu/column/column.ts";
import { encodeKey } from "../../../../gpu/key/encode_key.ts";
import { type KeyType, keyTypeOf } from "../../../../gpu/key/key_layout.ts";
import { KeySet } from "../../../../gpu/key/key_set.ts";
import { columnOfPlain, type Plain, slicedColumn } from "../../../support/column_model.ts";
import { intOf, keyRows, randomParts, sideOf } from "../../../support/random_keys.ts";
import { Draws, forSeeds } from "../../../support/seeded_random.ts";

const KEY32: KeyType = { kind: "int", bits: 32 };
const KEY64: KeyType = { kind: "int", bits: 64 };
const TEXT: KeyType = { kind: "string" };
const STRING: ColumnType = { kind: "string" };

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

Deno.test("many keys in many batches stay apart, and each is found again", () =>
  forSeeds(3, (random) => {
    const cases: [KeyType, ColumnType, (row: number) => Plain][] = [
      [KEY32, intOf(32), (row) => BigInt(Math.imul(row, 0x9e3779b1))],
      [KEY64, intOf(64), (row) => BigInt(row - 10_000) << 32n],
      [KEY64, intOf(32), (row) => BigInt(row - 10_000)],
      [TEXT, STRING, (row) => `${"é".repeat(row % 7)}${row}`],
    ];
    for (const [keyType, type, value] of cases) {
      const set = new KeySet(keyType, false);
      const batches = Array.from(
        { length: 40 },
        (_, batch) =>
          slicedColumn(
            random,
            type,
            Array.from({ length: 500 }, (_, row) => value(500 * batch + row)),
          ),
      );
      assertEquals(firstRepeat(set, batches), null);
      assertEquals(set.size, 20_000);
      assert(set.numBytes >= 4 * 20_000);
      for (const row of [0, 17_777, 19_999]) {
        assertEquals(set.add(slicedColumn(random, type, [null, value(row)])), 1);
      }
      assertEquals(set.size, 20_000);
    }
  }));

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
