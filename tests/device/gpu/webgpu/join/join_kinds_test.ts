/** Joins of every kind on a device: the same bytes as on the host. */

import { assertEquals } from "@std/assert";
import type { KeyType } from "../../../../../gpu/backend.ts";
import { type ColumnType, releaseColumn } from "../../../../../gpu/column/column.ts";
import { type JoinHow, joinKinds } from "../../../../../gpu/join_kind.ts";
import { WebGpuBackend } from "../../../../../gpu/webgpu/backend.ts";
import type { WebGpuContext } from "../../../../../gpu/webgpu/dispatch/webgpu_context.ts";
import {
  ALL_TYPES,
  type Plain,
  plainOf,
  randomColumn,
  randomText,
  slicedColumn,
} from "../../../../support/models/column_model.ts";
import { assertJoins } from "../../../../support/device/device_joins.ts";
import { contextTest } from "../../../../support/device/device_kernels.ts";
import { columnOf, stringColumn } from "../../../../support/values/host_columns.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";
import { atMost, tableRequest } from "../../../../support/joins/table_request.ts";
import { gatherCases, gatherTogetherCase } from "../../../../support/cases/gather.ts";
import { onDevice } from "../../../../support/cases/on_device.ts";

const INT32: ColumnType = { kind: "int", bits: 32, signed: true };
const STRING: ColumnType = { kind: "string" };
const KINDS = Object.keys(joinKinds) as JoinHow[];

const NAMES = [
  "",
  "Łódź",
  "Ōsaka",
  "São Paulo",
  "東京都",
  "Reykjavík",
  "a",
  "a\0",
  "Bo",
  "Ana",
  "Ito",
];

/** The types of a pair of keys, and values that they may have. */
interface Keys {
  readonly keyType: KeyType;
  readonly build: ColumnType;
  readonly probe: ColumnType;
  readonly values: readonly Plain[];
}

function randomKeys(random: SeededRandom): Keys {
  const numValues = random.pick([1, 4, 30, 300]);
  const int = (bits: 8 | 16 | 32 | 64, signed: boolean): ColumnType => ({
    kind: "int",
    bits,
    signed,
  });
  const values = (make: (at: number) => Plain) =>
    Array.from({ length: numValues }, (_, at) => make(at));
  switch (random.below(4)) {
    case 0: {
      const keyType = { kind: "int", bits: 32 } as const;
      const types = { build: int(random.pick([16, 32]), true), probe: int(32, true) };
      return { keyType, ...types, values: values((at) => BigInt(at * 7 - 100)) };
    }
    case 1: {
      const keyType = { kind: "int", bits: 64 } as const;
      // Keys that differ in the high word only, or in the low one.
      const wide = (at: number) => (BigInt(at % 7) << 32n) - BigInt(at >> 2);
      return { keyType, build: int(64, true), probe: int(64, true), values: values(wide) };
    }
    case 2: {
      const value = (at: number) => at % 2 ? randomText(random) : random.pick(NAMES);
      return { keyType: { kind: "string" }, build: STRING, probe: STRING, values: values(value) };
    }
    default: {
      // Texts of many sizes with a common start.
      const value = (at: number) => "Llanfairpwllgwyngyll".repeat(1 + at % 9).slice(0, at);
      return { keyType: { kind: "string" }, build: STRING, probe: STRING, values: values(value) };
    }
  }
}

function randomValues(random: SeededRandom, values: readonly Plain[], length: number): Plain[] {
  const nulls = random.pick([0, 0.1, 0.9]);
  // One value may be that of most rows.
  const most = random.pick([0, 0, 0.9]);
  return Array.from(
    { length },
    () => random.chance(nulls) ? null : random.chance(most) ? values[0]! : random.pick(values),
  );
}

/** The values, each once. */
function shuffled(random: SeededRandom, values: readonly Plain[]): Plain[] {
  const all = [...new Set(values)];
  for (let at = all.length - 1; at > 0; at--) {
    const other = random.below(at + 1);
    [all[at], all[other]] = [all[other]!, all[at]!];
  }
  return all;
}

/** Joins random tables in every way, and compares with the host. */
async function joinRandomly(
  context: WebGpuContext,
  random: SeededRandom,
  draws: Draws,
  on: "device" | "either",
): Promise<void> {
  const limits = {
    rows: random.pick([40, 1_000, 65_536]),
    bytes: random.pick([20_000, 1 << 20, Infinity]),
  };
  // Each result is waited for here.
  const isCutSmall = limits.rows === 40 || limits.bytes === 20_000;
  const { keyType, build, probe, values } = randomKeys(random);
  const isUnique = random.chance(0.4);
  const buildKeys = isUnique
    ? shuffled(random, values)
    : randomValues(random, values, random.pick([0, 1, isCutSmall ? 50 : 400]));
  const key = slicedColumn(random, build, buildKeys);
  const columns = (count: number, length: number) =>
    Array.from({ length: count }, () => randomColumn(random, random.pick(ALL_TYPES), length));
  const payload = columns(random.below(3), buildKeys.length);
  const buildOnlyPayload = columns(random.below(2), buildKeys.length);
  const types = Array.from({ length: random.below(3) }, () => random.pick(ALL_TYPES));
  const hasKey = random.chance(0.5);
  const batches = Array.from({ length: 1 + random.below(3) }, () => {
    const length = random.pick([0, 1, isCutSmall ? 60 : 700]);
    const probeKey = slicedColumn(random, probe, randomValues(random, values, length));
    const others = types.map((type) => randomColumn(random, type, length));
    return { key: probeKey, columns: hasKey ? [probeKey, ...others] : others };
  });
  const how = random.pick(KINDS);
  const nullsEqual = random.chance(0.3);
  const request = { key, keyType, payload, buildOnlyPayload, how, nullsEqual };
  const joined = await assertJoins(context, request, batches, limits, on);
  for (const word of [how, keyType.kind, isUnique ? "unique" : "duplicates"]) draws.add(word);
  if (nullsEqual && key.nullCount > 0) draws.add("null keys");
  if (joined.last.sizes.length > 1) draws.add("many last results");
}

const DRAWS = [...KINDS, "int", "string", "unique", "duplicates", "null keys", "many last results"];

contextTest("joins of every kind give the host's bytes", async (context) => {
  const draws = new Draws(DRAWS);
  await forSeeds(30, (random) => joinRandomly(context, random, draws, "device"), draws);
});

contextTest("joins of every kind give the host's bytes, in small windows", async (context) => {
  const draws = new Draws(DRAWS);
  await forSeeds(20, (random) => joinRandomly(context, random, draws, "either"), draws);
}, { windowBytes: 4_096 });

contextTest("kinds that give no probe rows wait for nothing until the end", async (context) => {
  const backend = new WebGpuBackend(context);
  const key = columnOf(INT32, [3, 1, 2, 1, null]);
  const payload = [stringColumn(["three", "one", "two", "uno", "none"])];
  for (
    const [how, expected] of [["right-semi", ["three", "one", "uno"]], [
      "right-anti",
      ["two", "none"],
    ]] as const
  ) {
    const table = await backend.buildTable(
      tableRequest(key, { kind: "int", bits: 32 }, payload, how),
    );
    const { readbacks } = backend.counters;
    for (const batch of [[1, 3, 7], [null, 3], []]) {
      const probeKey = columnOf(INT32, batch);
      const results = backend.probe(table, probeKey, [], batch.length, atMost(10));
      assertEquals(await Array.fromAsync(results), []);
    }
    assertEquals(backend.counters.readbacks, readbacks);
    for await (const { columns } of backend.buildOnlyRows(table, atMost(10))) {
      assertEquals((await backend.download(columns)).map(plainOf), [[...expected]]);
      columns.forEach(releaseColumn);
    }
    assertEquals(backend.counters.readbacks, readbacks + 1);
    table.release();
  }
});

gatherCases(onDevice());
gatherTogetherCase(onDevice({ windowBytes: 4_096 }, ", in many windows"));
