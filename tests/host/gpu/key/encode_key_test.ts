import { assert, assertEquals, assertThrows } from "@std/assert";
import type { ColumnType, HostColumn } from "../../../../gpu/column/column.ts";
import { sliceColumn } from "../../../../gpu/column/slice.ts";
import { encodeKey } from "../../../../gpu/key/encode_key.ts";
import { type KeyPart, keyTypeOf } from "../../../../gpu/key/key_layout.ts";
import { widenColumn } from "../../../../gpu/key/widen_column.ts";
import { columnOfPlain, plainOf, slicedColumn } from "../../../support/models/column_model.ts";
import { intOf, keyRows, type Side, sideOf } from "../../../support/random/random_keys.ts";
import { Draws, forSeeds } from "../../../support/random/seeded_random.ts";
import { KEY_TYPES, randomParts } from "../../../support/random/random_keys.ts";

/** The rows of a key as values that are equal where the keys are. */
function valuesOf(key: HostColumn): (string | bigint | null)[] {
  if (key.type.kind === "int") return plainOf(key) as (bigint | null)[];
  const offsets = key.offsets!;
  return Array.from({ length: key.length }, (_, row) => {
    const isNull = key.validity !== null && ((key.validity[row >> 3]! >> (row & 7)) & 1) === 0;
    return isNull ? null : key.data.subarray(offsets[row], offsets[row + 1]).toHex();
  });
}

function checkType(key: HostColumn, parts: readonly KeyPart[], nullsEqual: boolean): void {
  const keyType = keyTypeOf(parts, nullsEqual);
  assertEquals(key.type.kind, keyType.kind);
  if (key.type.kind === "int" && keyType.kind === "int") assert(key.type.bits <= keyType.bits);
}

Deno.test("keys are equal where their values are, and nowhere else", () => {
  const draws = new Draws([
    ...KEY_TYPES.map((type) => JSON.stringify(type)),
    ...["int 32", "int 64", "string"],
  ]);
  return forSeeds(300, (random) => {
    const parts = randomParts(random, 1 + random.below(4));
    const nullsEqual = random.chance(0.5);
    const keyType = keyTypeOf(parts, nullsEqual);
    for (const part of parts) draws.add(JSON.stringify(part));
    draws.add(keyType.kind === "int" ? `int ${keyType.bits}` : "string");
    const numRows = random.pick([0, 1, 8, 9, 40]);
    const sides: Side[] = [sideOf(random, parts, numRows), sideOf(random, parts, 30)];
    const keys = sides.map(({ columns }) => encodeKey(columns, parts, nullsEqual));
    const wanted = sides.map(({ rows }) => keyRows(rows, parts, nullsEqual));
    for (const key of keys) checkType(key, parts, nullsEqual);
    const [left, right] = keys.map(valuesOf);
    left!.forEach((one, row) => {
      assertEquals(one === null, wanted[0]![row] === null, `row ${row} is null`);
      right!.forEach((other, otherRow) => {
        if (one === null || other === null) return;
        const isEqual = wanted[0]![row] === wanted[1]![otherRow];
        assertEquals(one === other, isEqual, `${wanted[0]![row]} and ${wanted[1]![otherRow]}`);
      });
    });
  }, draws);
});

Deno.test("a slice has the keys of its rows", () =>
  forSeeds(100, (random) => {
    const parts = randomParts(random, 1 + random.below(3));
    const nullsEqual = random.chance(0.5);
    const { columns } = sideOf(random, parts, 50);
    const all = valuesOf(encodeKey(columns, parts, nullsEqual));
    const start = random.below(50);
    const stop = start + random.below(51 - start);
    const slices = columns.map((column) => sliceColumn(column, start, stop));
    const key = encodeKey(slices, parts, nullsEqual);
    assertEquals(key.length, stop - start);
    assertEquals(valuesOf(key), all.slice(start, stop));
  }));

Deno.test("one integer and one text are their own keys, and wide values are shared", () =>
  forSeeds(5, (random) => {
    const types: ColumnType[] = [intOf(8), intOf(64), { kind: "string" }];
    for (const type of types) {
      const column = slicedColumn(random, type, [null]);
      assertEquals(encodeKey([column], [type], false), column);
    }
    const shared: ColumnType[] = [
      { kind: "fixed", byteWidth: 4 },
      { kind: "fixed", byteWidth: 8 },
      { kind: "fixed", byteWidth: 16 },
      { kind: "list", item: { kind: "string" } },
    ];
    const copied = shared.filter((type) => {
      const column = columnOfPlain(type, type.kind === "list" ? [["a"]] : ["ab".repeat(8)]);
      const key = encodeKey([column], [type], false);
      return key.data.buffer !== column.data.buffer;
    });
    assertEquals(copied, [{ kind: "list", item: { kind: "string" } }]);
  }));

Deno.test("keys that fit 32 or 64 bits are integers, with nulls that count if they fit too", () => {
  const fixed = (byteWidth: number): ColumnType => ({ kind: "fixed", byteWidth });
  const bool = { kind: "bool" } as const;
  const cases: [parts: KeyPart[], nullsEqual: boolean, name: string][] = [
    [[intOf(8)], true, "int32"],
    [[intOf(64)], false, "int64"],
    [[{ kind: "float", bits: 16 }], false, "int32"],
    [[{ kind: "float", bits: 64 }], true, "int64"],
    [[bool], false, "int32"],
    [[{ kind: "struct", fields: [] }], true, "int32"],
    [[fixed(0)], false, "int32"],
    [[fixed(5)], false, "int64"],
    [[fixed(9)], false, "string"],
    [[intOf(32), intOf(32)], false, "int64"],
    [[intOf(32), intOf(32)], true, "string"],
    [[intOf(16), bool, bool], true, "int32"],
    [[intOf(32), intOf(16), intOf(8)], true, "int64"],
    [[{ kind: "struct", fields: [intOf(8), intOf(16)] }], false, "int32"],
    [[{ kind: "list", item: bool }], false, "string"],
  ];
  for (const [parts, nullsEqual, name] of cases) {
    const type = keyTypeOf(parts, nullsEqual);
    const shown = type.kind === "int" ? `int${type.bits}` : type.kind;
    assertEquals(shown, name, JSON.stringify(parts));
  }
});

Deno.test("encodeKey() refuses columns that its parts do not fit", () => {
  const column = columnOfPlain(intOf(32), [1n]);
  assertThrows(() => encodeKey([column], [], false), TypeError, "A key of 0 parts");
  assertThrows(() => encodeKey([], [], false), TypeError, "A key of 0 parts");
  assertThrows(
    () => encodeKey([column, column], [intOf(32), intOf(16)], false),
    TypeError,
    "Cannot widen int32 to int16",
  );
});

Deno.test("widenColumn() keeps every value, in integers and floats", () =>
  forSeeds(20, (random) => {
    const ints = [-128n, -1n, 0n, 127n, null];
    for (const bits of [8, 16, 32, 64] as const) {
      const column = slicedColumn(random, intOf(8), ints);
      assertEquals(plainOf(widenColumn(column, intOf(bits))), ints);
      const floats = slicedColumn(random, { kind: "int", bits: 8, signed: false }, [255n, null]);
      if (bits === 8) continue;
      const view = new DataView(widenColumn(floats, { kind: "float", bits }).data.slice().buffer);
      const value = bits === 16
        ? view.getFloat16(0, true)
        : bits === 32
        ? view.getFloat32(0, true)
        : view.getFloat64(0, true);
      assertEquals(value, 255);
    }
    const wide = [2n ** 32n - 1n, 2n ** 31n, 0n];
    const unsigned = slicedColumn(random, { kind: "int", bits: 32, signed: false }, wide);
    assertEquals(plainOf(widenColumn(unsigned, intOf(64))), wide);
    const decimals = slicedColumn(random, { kind: "fixed", byteWidth: 4 }, [
      "010000ff",
      "feff007f",
    ]);
    assertEquals(plainOf(widenColumn(decimals, { kind: "fixed", byteWidth: 6 })), [
      "010000ffffff",
      "feff007f0000",
    ]);
    const refused: [ColumnType, ColumnType][] = [
      [{ kind: "fixed", byteWidth: 4 }, { kind: "fixed", byteWidth: 3 }],
      [intOf(64), { kind: "float", bits: 64 }],
      [intOf(32), { kind: "float", bits: 32 }],
      [intOf(16), { kind: "float", bits: 16 }],
      [intOf(8), { kind: "int", bits: 64, signed: false }],
      [{ kind: "int", bits: 32, signed: false }, intOf(32)],
      [{ kind: "float", bits: 64 }, { kind: "float", bits: 32 }],
      [{ kind: "float", bits: 16 }, intOf(64)],
      [{ kind: "string" }, intOf(64)],
    ];
    for (const [from, to] of refused) {
      assertThrows(() => widenColumn(columnOfPlain(from, []), to), TypeError, "Cannot widen");
    }
  }));
