/** How much work a probe is for a device: dispatches, waits, and the bytes that each row moves. */

import { assertEquals } from "@std/assert";
import type { KeyType } from "../../../../../gpu/backend.ts";
import { type ColumnType, releaseColumn } from "../../../../../gpu/column/column.ts";
import { type JoinHow, joinKinds } from "../../../../../gpu/join_kind.ts";
import { WebGpuBackend } from "../../../../../gpu/webgpu/backend.ts";
import { assertJoins } from "../../../../support/device/device_joins.ts";
import type { ProbeBatch } from "../../../../support/joins/backend_joins.ts";
import { contextTest, uploaded } from "../../../../support/device/device_kernels.ts";
import { deviceWork } from "../../../../support/device/device_work.ts";
import { type Plain, randomColumn, slicedColumn } from "../../../../support/models/column_model.ts";
import { columnOf } from "../../../../support/values/host_columns.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";
import { atMost, tableRequest } from "../../../../support/joins/table_request.ts";

const int = (bits: 8 | 16 | 32 | 64): ColumnType => ({ kind: "int", bits, signed: true });
const INT32 = int(32);
const STRING: ColumnType = { kind: "string" };
const KEY_32: KeyType = { kind: "int", bits: 32 };
const KEY_64: KeyType = { kind: "int", bits: 64 };
const KEY_TEXT: KeyType = { kind: "string" };

/** A word a row, and some more, fill a class of buffers: what is bound tells the words of a row. */
const NUM_ROWS = 2 ** 16 - 256;
const WORDS_BYTES = 2 ** 18;

/** Few keys: what a table takes is no part of what a row moves. */
const NUM_KEYS = 200;

/** Steps of a probe, each with the words that a row takes in all that it binds. */
const LOOKUP = ["join lookup", 2] as const;
const CHECK = ["join lookup", 1] as const;
const PLACED = [LOOKUP, ["join place", 2], ["scan", 0], ["join emit", 4]] as const;
const WORDS = ["gather words", 2] as const;
/** Into the window that the words are in, too. */
const BITS = ["gather bits", 2] as const;

/** What the first batch takes, and the second, with the waits of each. */
const PROBES: readonly [
  JoinHow,
  ...readonly { readonly steps: readonly (readonly [string, number])[]; readonly waits: number }[],
][] = [
  ["inner", { steps: [...PLACED, WORDS], waits: 1 }, { steps: [LOOKUP, WORDS], waits: 1 }],
  ["right", { steps: [...PLACED, WORDS], waits: 1 }, { steps: [LOOKUP, WORDS], waits: 1 }],
  ["left", { steps: [LOOKUP, BITS, WORDS], waits: 0 }, { steps: [LOOKUP, BITS, WORDS], waits: 0 }],
  ["full", { steps: [LOOKUP, BITS, WORDS], waits: 0 }, { steps: [LOOKUP, BITS, WORDS], waits: 0 }],
  ["semi", { steps: PLACED, waits: 1 }, { steps: [CHECK], waits: 1 }],
  ["right-semi", { steps: [CHECK], waits: 0 }, { steps: [CHECK], waits: 0 }],
];

for (const [how, ...batches] of PROBES) {
  contextTest(`a row of which one comes out is looked up and no more: ${how}`, async (context) => {
    const backend = new WebGpuBackend(context);
    const keys = columnOf(INT32, Array.from({ length: NUM_KEYS }, (_, row) => row));
    const values = Array.from({ length: NUM_ROWS }, (_, row) => row % NUM_KEYS);
    const probe = await uploaded(context, columnOf(INT32, values));
    const table = await backend.buildTable(tableRequest(keys, KEY_32, [keys], how));
    for (const { steps, waits } of batches) {
      const work = await deviceWork(async () => {
        const results = backend.probe(table, probe, [probe], NUM_ROWS, atMost(2 ** 20));
        for await (const { columns } of results) columns.forEach(releaseColumn);
      });
      const rowWords = work.boundBytes.map((bytes) => Math.floor(bytes / WORDS_BYTES));
      assertEquals(
        work.dispatches.map((label, k) => [label, rowWords[k]]),
        steps.map(([...a]) => a),
      );
      assertEquals(work.maps, waits);
    }
    table.release();
    probe.release();
  });
}

/** Keys of the build side, all different. */
function keysOf(random: SeededRandom, type: ColumnType): Plain[] {
  if (type.kind === "string") {
    return Array.from({ length: 90 }, (_, at) => "Llanfairpwllgwyngyll".repeat(9).slice(0, at));
  }
  const numKeys = random.pick([1, 100]);
  // Some of them differ in the high word only.
  const wide = type.kind === "int" && type.bits === 64;
  return Array.from(
    { length: numKeys },
    (_, at) => wide ? BigInt(at % 7) << 32n | BigInt(at) : BigInt(at),
  );
}

const TYPES: readonly [KeyType, ColumnType, ColumnType][] = [
  [KEY_32, INT32, int(8)],
  [KEY_32, INT32, INT32],
  [KEY_64, int(64), int(64)],
  [KEY_TEXT, STRING, STRING],
];

/** Joins batches of which all rows come out, or all but some, or whose rows are nulls. */
async function joinUniqueKeys(
  random: SeededRandom,
  draws: Draws,
  mostRows: number,
  join: (
    request: Parameters<typeof assertJoins>[1],
    batches: readonly ProbeBatch[],
  ) => Promise<void>,
): Promise<void> {
  const [keyType, buildType, probeType] = random.pick(TYPES);
  const nullsEqual = random.chance(0.5);
  const isEmpty = random.chance(0.1);
  const keys = isEmpty ? [] : keysOf(random, buildType);
  if (nullsEqual) keys.splice(random.below(keys.length + 1), 0, null);
  const absent: Plain = probeType.kind === "string" ? "no key" : 101n;
  const how = random.pick(Object.keys(joinKinds) as JoinHow[]);
  const payload = [int(64), STRING, { kind: "bool" } as const].slice(random.below(4)).map((type) =>
    randomColumn(random, type, keys.length)
  );
  const key = slicedColumn(random, buildType, keys);
  const request = { ...tableRequest(key, keyType, payload, how), nullsEqual };
  const batches = Array.from({ length: 4 }, () => {
    const length = random.pick([0, 1, 33, mostRows]);
    const others = random.pick([0, 0, 0.01, 1]);
    const other = () => random.chance(0.5) ? absent : null;
    const values = Array.from(
      { length },
      () => keys.length === 0 || random.chance(others) ? other() : random.pick(keys),
    );
    return {
      key: slicedColumn(random, probeType, values),
      columns: [randomColumn(random, STRING, length)],
    };
  });
  const work = await deviceWork(() => join(request, batches));
  // Lookups, one for each part of the table, after which no pair is placed.
  const passed = work.dispatches.join().match(/(join lookup,)+(?=gather)/g) ?? [];
  if (passed.length > 0) [how, keyType.kind].forEach((kind) => draws.add(kind));
  if (passed.length > 0 && nullsEqual) draws.add("null keys");
  if (passed.some((lookups) => lookups.length > "join lookup,".length)) draws.add("several parts");
  if (isEmpty) draws.add("no build rows");
}

const DRAWS = ["inner", "right", "left", "full", "int", "string", "null keys", "no build rows"];

for (const windowBytes of [undefined, 2_048]) {
  const isSmall = windowBytes !== undefined;
  const where = isSmall ? "several parts" : "one part";
  contextTest(
    `keys that are unique give the host's rows, whether all rows come out or not: ${where}`,
    async (context) => {
      const draws = new Draws(isSmall ? [...DRAWS, "several parts"] : DRAWS);
      await forSeeds(
        isSmall ? 8 : 30,
        (random) =>
          joinUniqueKeys(random, draws, isSmall ? 100 : 600, async (request, batches) => {
            await assertJoins(context, request, batches, atMost(1_000), "either");
          }),
        draws,
      );
    },
    isSmall ? { windowBytes } : {},
  );
}
