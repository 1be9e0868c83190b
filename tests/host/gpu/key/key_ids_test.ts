import { assert, assertEquals } from "@std/assert";
import type { ColumnType } from "../../../../gpu/column/column.ts";
import { encodeKey } from "../../../../gpu/key/encode_key.ts";
import { KeyIds } from "../../../../gpu/key/key_ids.ts";
import { type KeyType, keyTypeOf } from "../../../../gpu/key/key_layout.ts";
import { type Plain, slicedColumn } from "../../../support/models/column_model.ts";
import { intOf, keyRows, randomParts, sideOf } from "../../../support/random/random_keys.ts";
import { Draws, forSeeds } from "../../../support/random/seeded_random.ts";
import { fewOr } from "../../../support/random/test_size.ts";

Deno.test("equal keys have one number, in the order of their first rows, over all batches", () => {
  const draws = new Draws(["int", "string", "null", "a key of an earlier batch"]);
  return forSeeds(300, (random) => {
    const parts = randomParts(random, random.chance(0.5) ? 2 : 1);
    const keyType = keyTypeOf(parts, false);
    draws.add(keyType.kind);
    const ids = new KeyIds(keyType);
    const known = new Map<string, number>();
    for (let batch = 0; batch < 3; batch++) {
      const numKnown = known.size;
      const side = sideOf(random, parts, random.below(8));
      const expected = keyRows(side.rows, parts, false).map((key) => {
        if (key === null) {
          draws.add("null");
          return -1;
        }
        if (!known.has(key)) known.set(key, known.size);
        if (known.get(key)! < numKnown) draws.add("a key of an earlier batch");
        return known.get(key)!;
      });
      assertEquals([...ids.idsOf(encodeKey(side.columns, parts, false))], expected);
      assertEquals(ids.size, known.size);
    }
  }, draws);
});

Deno.test("keys are found without being added", () => {
  const draws = new Draws(["int", "string", "found", "not found"]);
  return forSeeds(200, (random) => {
    const parts = randomParts(random, random.chance(0.5) ? 2 : 1);
    const keyType = keyTypeOf(parts, false);
    draws.add(keyType.kind);
    const ids = new KeyIds(keyType);
    const [known, asked] = [sideOf(random, parts, 6), sideOf(random, parts, 6)];
    const numbers = ids.idsOf(encodeKey(known.columns, parts, false));
    const rows = keyRows(known.rows, parts, false);
    const expected = keyRows(asked.rows, parts, false).map((key) => {
      const row = key === null ? -1 : rows.indexOf(key);
      draws.add(row < 0 ? "not found" : "found");
      return row < 0 ? -1 : numbers[row]!;
    });
    const { size } = ids;
    assertEquals([...ids.knownIdsOf(encodeKey(asked.columns, parts, false))], expected);
    assertEquals(ids.size, size);
  }, draws);
});

Deno.test("many keys in many batches stay apart, and few keys take little memory", () =>
  forSeeds(fewOr(1, 2), (random) => {
    const cases: [KeyType, ColumnType, (row: number) => Plain][] = [
      [{ kind: "int", bits: 32 }, intOf(32), (row) => BigInt(Math.imul(row, 0x9e3779b1))],
      [{ kind: "int", bits: 64 }, intOf(64), (row) => BigInt(row - 10_000) << 32n],
      [{ kind: "int", bits: 64 }, intOf(32), (row) => BigInt(row - 10_000)],
      [{ kind: "string" }, { kind: "string" }, (row) => `${"é".repeat(row % 7)}${row}`],
    ];
    for (const [keyType, type, value] of cases) {
      const ids = new KeyIds(keyType);
      for (const round of [0, 1]) {
        for (let batch = 0; batch < 40; batch++) {
          const rows = Array.from({ length: 500 }, (_, row) => 500 * batch + row);
          const found = ids.idsOf(slicedColumn(random, type, rows.map(value)));
          assertEquals([...found], rows, `round ${round}`);
        }
      }
      const few = new KeyIds(keyType);
      for (let batch = 0; batch < 10; batch++) {
        few.idsOf(
          slicedColumn(random, type, Array.from({ length: 5000 }, (_, row) => value(row % 9))),
        );
      }
      assertEquals(few.size, 9);
      assert(few.numBytes < 4096, `${few.numBytes} bytes for 9 keys`);
    }
  }));
