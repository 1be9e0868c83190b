/** The index of a join, which the device builds: skew, collisions, many parts, and what it waits for. */

import { assert, assertEquals } from "@std/assert";
import type { KeyType } from "../../../../../gpu/backend.ts";
import {
  type ColumnType,
  type HostColumn,
  releaseColumn,
} from "../../../../../gpu/column/column.ts";
import { type JoinHow, joinKinds } from "../../../../../gpu/join_kind.ts";
import { WebGpuBackend } from "../../../../../gpu/webgpu/backend.ts";
import { hashInt32, hashInt64, hashText } from "../../../../../gpu/webgpu/join/join_hash.ts";
import { buildTableOnDevice } from "../../../../../gpu/webgpu/join/join_table.ts";
import {
  createContext,
  type WebGpuContext,
} from "../../../../../gpu/webgpu/dispatch/webgpu_context.ts";
import {
  columnOfPlain,
  type Plain,
  randomColumn,
  slicedColumn,
} from "../../../../support/models/column_model.ts";
import { assertJoins } from "../../../../support/device/device_joins.ts";
import { contextTest } from "../../../../support/device/device_kernels.ts";
import { columnOf, stringColumn } from "../../../../support/values/host_columns.ts";
import { forSeeds } from "../../../../support/random/seeded_random.ts";
import { surround } from "../../../../support/values/surround.ts";
import { atMost, tableRequest } from "../../../../support/joins/table_request.ts";
import { fewOr } from "../../../../support/random/test_size.ts";

const INT32: ColumnType = { kind: "int", bits: 32, signed: true };
const INT64: ColumnType = { kind: "int", bits: 64, signed: true };
const STRING: ColumnType = { kind: "string" };
const KEY_32: KeyType = { kind: "int", bits: 32 };
const KEY_64: KeyType = { kind: "int", bits: 64 };
const KEY_TEXT: KeyType = { kind: "string" };
const KINDS = Object.keys(joinKinds) as JoinHow[];

/** Numbers of rows. */
function rowsOf(length: number): HostColumn {
  return columnOf(INT32, Array.from({ length }, (_, row) => row));
}

for (
  const [name, numKeys, most] of [
    ["one key", 1, 0],
    ["two keys", 2, 0],
    ["seventeen keys", 17, 0],
    ["a key with 90 % of the rows", 3_000, 0.9],
    ["three thousand keys", 3_000, 0],
  ] as const
) {
  contextTest(`the rows of a key come in build order: ${name}`, async (context) => {
    await forSeeds(fewOr(1, 2), async (random) => {
      const values = Array.from({ length: 9_000 }, () => {
        if (random.chance(0.05)) return null;
        return random.chance(most) ? 0 : random.below(numKeys);
      });
      const text = random.chance(0.5);
      const columnOfKeys = (keys: readonly (number | null)[]) =>
        text
          ? slicedColumn(random, STRING, keys.map((key) => key === null ? null : `Ångström ${key}`))
          : slicedColumn(random, INT32, keys.map((key) => key === null ? null : BigInt(key)));
      const probe = columnOfKeys([0, null, 1, 7, 2_999, 5_000, 0]);
      const keyType = text ? KEY_TEXT : KEY_32;
      for (const nullsEqual of [false, true]) {
        const key = columnOfKeys(values);
        const how = random.pick(["inner", "full", "right-semi"] as const);
        const request = { ...tableRequest(key, keyType, [rowsOf(9_000)], how), nullsEqual };
        await assertJoins(context, request, [{ key: probe, columns: [probe] }], atMost(65_536));
      }
    });
  });
}

/** Integers that hash to the same 11 bits under the first seed. */
function collidingInts(count: number): number[] {
  const ints: number[] = [];
  for (let value = 0; ints.length < count; value++) {
    if ((hashInt32(value, 0) & 0x7ff) === 0x123) ints.push(value);
  }
  return ints;
}

/** Integers of 64 bits that all have one hash under the first seed. */
function collidingWideInts(count: number): bigint[] {
  // The inverse of the odd constant, by Newton's iteration.
  let inverse = 1;
  for (let round = 0; round < 5; round++) {
    inverse = Math.imul(inverse, 2 - Math.imul(0x9e37_79b1, inverse));
  }
  return Array.from({ length: count }, (_, low) => {
    const high = Math.imul(hashInt32(low, 0) ^ 77, inverse);
    return (BigInt(high) << 32n) | BigInt(low);
  });
}

/**
 * Texts that all have one hash under every seed: a difference in the highest bit of a word stays one
 * through the product, and the next word takes it back.
 */
function collidingTexts(numPairs: number): HostColumn {
  const count = 2 ** numPairs;
  const size = 8 * numPairs;
  const data = new Uint8Array(count * size);
  for (let row = 0; row < count; row++) {
    for (let pair = 0; pair < numPairs; pair++) {
      const isOther = ((row >> pair) & 1) === 1;
      const words = [0x7120_6141 ^ (isOther ? 0x8000_0000 : 0), 0x2030_4050 ^ (isOther ? 0x10 : 0)];
      const bytes = new Uint8Array(Uint32Array.from(words).buffer);
      data.set(bytes, row * size + 8 * pair);
    }
  }
  const offsets = Int32Array.from({ length: count + 1 }, (_, row) => row * size);
  const frame = { place: "host", nullCount: 0, validity: null, children: [] } as const;
  return surround({ ...frame, type: STRING, length: count, data, offsets });
}

contextTest("keys that collide under a seed get another", async (context) => {
  const { counters } = context.device;
  const ints = collidingInts(600);
  const wide = collidingWideInts(600);
  assertEquals(
    new Set(wide.map((key) => hashInt64(Number(BigInt.asIntN(32, key)), Number(key >> 32n), 0)))
      .size,
    1,
  );
  for (
    const [key, keyType] of [[columnOf(INT32, ints), KEY_32], [
      columnOfPlain(INT64, wide),
      KEY_64,
    ]] as const
  ) {
    const before = counters.readbacks;
    const table = await buildTableOnDevice(context, tableRequest(key, keyType, []));
    assertEquals(counters.readbacks - before, 2);
    table!.release();
    const batches = [{ key, columns: [key] }];
    await assertJoins(context, tableRequest(key, keyType, [rowsOf(600)]), batches, atMost(1_000));
  }
});

contextTest("text that collides under every seed is compared in full", async (context) => {
  for (const [numPairs, on] of [[2, "device"], [5, "host"]] as const) {
    const key = collidingTexts(numPairs);
    const { data, offsets, length } = key;
    const hashes = Array.from(
      { length },
      (_, row) => hashText(data, offsets![row]!, offsets![row + 1]!, 12_345),
    );
    assertEquals(new Set(hashes).size, 1);
    const request = tableRequest(key, KEY_TEXT, [rowsOf(length)], "full");
    const batches = [{ key: collidingTexts(numPairs), columns: [rowsOf(length)] }];
    const { probed } = await assertJoins(context, request, batches, atMost(1_000), on);
    assertEquals(probed.sizes, [length]);
    const other = collidingTexts(3);
    const none = [{ key: other, columns: [rowsOf(other.length)] }];
    await assertJoins(context, request, none, atMost(1_000), on);
  }
});

/** Builds the table of a request on the device, and gives the number of its parts. */
async function partsOf(
  context: WebGpuContext,
  request: Parameters<typeof buildTableOnDevice>[1],
): Promise<number> {
  const table = await buildTableOnDevice(context, request);
  const count = table?.index.parts.length ?? 0;
  table?.release();
  return count;
}

contextTest("a build side that is larger than a window has several parts", async (context) => {
  await forSeeds(fewOr(1, 2), async (random) => {
    const number = (most: number) => random.chance(0.1) ? null : BigInt(random.below(most));
    const texts = Array.from({ length: 700 }, (_, row) => `${row % 211} São Paulo`.repeat(row % 3));
    for (const how of KINDS) {
      const nullsEqual = random.chance(0.5);
      const most = random.pick([60, 4_000]);
      const [keyType, type] = random.pick<readonly [KeyType, ColumnType]>([
        [KEY_32, INT32],
        [KEY_64, INT64],
        [KEY_TEXT, STRING],
      ]);
      const columnOfKeys = (length: number) => {
        const value = (): Plain => type === STRING ? random.pick(texts) : number(most);
        return slicedColumn(random, type, Array.from({ length }, value));
      };
      const key = columnOfKeys(900);
      const payload = [randomColumn(random, STRING, 900), randomColumn(random, INT64, 900)];
      const request = { ...tableRequest(key, keyType, payload, how), nullsEqual };
      assert(await partsOf(context, { ...request, payload: [] }) > 1);
      const probe = columnOfKeys(150);
      await assertJoins(context, request, [{ key: probe, columns: [probe] }], atMost(65_536));
    }
  });
}, { windowBytes: 4_096 });

contextTest("rows of one key that exceed a window are joined on the host", async (context) => {
  const key = stringColumn(new Array(300).fill("Llanfairpwllgwyngyll"));
  const request = tableRequest(key, KEY_TEXT, [rowsOf(300)], "right");
  const probe = stringColumn(["Bangor", "Llanfairpwllgwyngyll"]);
  await assertJoins(context, request, [{ key: probe, columns: [] }], atMost(1_000), "host");
  // As integers they do: a slot is for a key, not for a row.
  const ints = columnOf(INT32, new Array(900).fill(5));
  const small = tableRequest(ints, KEY_32, [rowsOf(900)], "right");
  const batch = { key: columnOf(INT32, [4, 5]), columns: [] };
  await assertJoins(context, small, [batch], atMost(1_000), "device");
}, { windowBytes: 4_096 });

contextTest("a join of many batches waits once for each of them", async (context) => {
  const backend = new WebGpuBackend(context);
  const { counters } = backend;
  for (const repeats of [1, 10]) {
    const key = columnOf(
      INT32,
      Array.from({ length: 2_000 }, (_, row) => Math.floor(row / repeats)),
    );
    const payload = [stringColumn(Array.from({ length: 2_000 }, (_, row) => `row ${row}`))];
    const before = counters.readbacks;
    const table = await backend.buildTable(tableRequest(key, KEY_32, payload));
    assertEquals(counters.readbacks - before, 1);
    let numPairs = 0;
    let expected = 0;
    for (let batch = 0; batch < 20; batch++) {
      const values = Array.from({ length: 500 }, (_, row) => (row * 7 + batch) % 400);
      const probe = columnOf(INT32, values);
      expected += repeats * values.filter((value) => value < 2_000 / repeats).length;
      const limits = { rows: 1_000, bytes: 1 << 20 };
      for await (const result of backend.probe(table, probe, [probe], 500, limits)) {
        result.columns.forEach(releaseColumn);
        numPairs += result.numRows;
      }
    }
    assertEquals(numPairs, expected);
    assertEquals(counters.readbacks - before, 21);
    table.release();
  }
});

contextTest(
  "a payload beyond the memory of the device is gathered on the host",
  async (context) => {
    await forSeeds(1, async (random) => {
      const small = createContext(context.device, { budgetBytes: 2 ** 20 });
      const key = columnOf(INT32, Array.from({ length: 5_000 }, (_, row) => row % 900));
      const names = Array.from({ length: 5_000 }, (_, row) => `${row} `.repeat(40));
      const payload = [stringColumn(names), rowsOf(5_000), randomColumn(random, STRING, 5_000)];
      const probe = columnOf(INT32, Array.from({ length: 700 }, () => random.below(1_000)));
      const batches = [{ key: probe, columns: [probe] }];
      const limits = { rows: 2_000, bytes: 1 << 18 };
      for (const how of ["left", "right"] as const) {
        const request = tableRequest(key, KEY_32, payload, how);
        const table = await buildTableOnDevice(small, request);
        const places = table!.payload.map(({ place }) => place);
        assertEquals(places, ["host", "device", "device"]);
        table!.release();
        await assertJoins(small, request, batches, limits);
      }
      // Nor does an index fit that has no room at all.
      const long = columnOf(INT32, Array.from({ length: 30_000 }, (_, row) => row));
      await assertJoins(small, tableRequest(long, KEY_32, []), batches, limits, "host");
      assertEquals(small.pool.inUseBuffers, 0);
      small.pool.trim();
    });
  },
);

contextTest("a text key that is one of the columns travels once", async (context) => {
  const key = stringColumn(["Łódź", "Ōsaka", null, "Łódź"]);
  const request = tableRequest(key, KEY_TEXT, [key, rowsOf(4)], "full");
  const { uploads } = context.device.counters;
  const table = await buildTableOnDevice(context, { ...request, buildOnlyPayload: [key] });
  assertEquals(context.device.counters.uploads - uploads, 2);
  table!.release();
  const batches = [{ key: stringColumn(["Łódź", "Ito"]), columns: [] }];
  await assertJoins(context, { ...request, buildOnlyPayload: [key] }, batches, atMost(10));
});
