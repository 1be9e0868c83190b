/** Joins on a device, against nested loops over plain arrays. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import type { KeyType } from "../../../../../gpu/backend.ts";
import type { JoinHow } from "../../../../../gpu/join_kind.ts";
import {
  type ColumnType,
  type HostColumn,
  releaseColumn,
} from "../../../../../gpu/column/column.ts";
import type { WebGpuContext } from "../../../../../gpu/webgpu/dispatch/webgpu_context.ts";
import { downloadColumns } from "../../../../../gpu/webgpu/transfer/download.ts";
import {
  buildTableOnDevice,
  type WebGpuJoinTable,
} from "../../../../../gpu/webgpu/join/join_table.ts";
import { probeOnDevice } from "../../../../../gpu/webgpu/join/probe.ts";
import { columnOf, stringColumn } from "../../../../support/values/host_columns.ts";
import { contextTest } from "../../../../support/device/device_kernels.ts";
import {
  columnOfPlain,
  type Plain,
  plainOf,
  randomColumn,
  slicedColumn,
} from "../../../../support/models/column_model.ts";
import { forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";
import { atMost, tableRequest } from "../../../../support/joins/table_request.ts";

const INT32: ColumnType = { kind: "int", bits: 32, signed: true };
const STRING: ColumnType = { kind: "string" };
const KEY_32: KeyType = { kind: "int", bits: 32 };
const KEY_64: KeyType = { kind: "int", bits: 64 };
const KEY_TEXT: KeyType = { kind: "string" };

/** One side of a join: the key as a column and as plain values, and what travels with it. */
interface Side {
  readonly key: HostColumn;
  readonly values: readonly Plain[];
  readonly columns: readonly HostColumn[];
}

interface Joined {
  readonly sizes: number[];
  /** Rows of each column, over all results. */
  readonly columns: Plain[][];
}

async function joinOnDevice(
  context: WebGpuContext,
  keyType: KeyType,
  build: Pick<Side, "key" | "columns">,
  probe: Pick<Side, "key" | "columns">,
  how: JoinHow,
  maxRows: number,
): Promise<Joined> {
  const table = await buildTableOnDevice(
    context,
    tableRequest(build.key, keyType, build.columns, how),
  );
  if (table === null) throw new Error("The index does not fit a window");
  const request = { ...probe, numRows: probe.key.length, limits: atMost(maxRows) };
  const joined: Joined = {
    sizes: [],
    columns: [...probe.columns, ...build.columns].map(() => []),
  };
  try {
    for await (const { numRows, columns } of probeOnDevice(context, table, request)) {
      const rows = (await downloadColumns(context, columns)).map(plainOf);
      columns.forEach(releaseColumn);
      joined.sizes.push(numRows);
      rows.forEach((part, k) => {
        assertEquals(part.length, numRows);
        joined.columns[k]!.push(...part);
      });
    }
  } finally {
    table.release();
  }
  return joined;
}

function joinByLoops(build: Side, probe: Side, how: JoinHow): Plain[][] {
  const pairs: [number, number | null][] = [];
  probe.values.forEach((value, row) => {
    const matches = [...build.values.keys()]
      .filter((other) => value !== null && build.values[other] === value);
    for (const match of matches) pairs.push([row, match]);
    if (matches.length === 0 && how === "left") pairs.push([row, null]);
  });
  return [
    ...probe.columns.map(plainOf).map((rows) => pairs.map(([row]) => rows[row]!)),
    ...build.columns.map(plainOf).map((rows) =>
      pairs.map(([, match]) => match === null ? null : rows[match]!)
    ),
  ];
}

const KEY_TEXTS = [
  "",
  "a",
  "a\0",
  "ab",
  "abc",
  "abcd",
  "abcde",
  "é",
  "漢字",
  "😀",
  "key 1",
  "key 2",
];

/** A key column whose values repeat. */
function randomKey(random: SeededRandom, type: ColumnType, length: number): Side {
  const choices = keyChoices(type);
  const values = Array.from(
    { length },
    () => random.chance(0.15) ? null : random.pick(choices),
  );
  return { key: slicedColumn(random, type, values), values, columns: [] };
}

function keyChoices(type: ColumnType): readonly Plain[] {
  if (type.kind !== "int") return KEY_TEXTS;
  const { bits, signed } = type;
  const [least, most] = signed
    ? [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n]
    : [0n, 2n ** BigInt(bits) - 1n];
  const negative = signed ? [-1n, -2n, -77n] : [];
  return [0n, 1n, 2n, 3n, 77n, 100n, least, most, most - 1n, 127n, least + 1n, ...negative];
}

function withPayload(random: SeededRandom, side: Side, types: readonly ColumnType[]): Side {
  const { length } = side.key;
  return { ...side, columns: types.map((type) => randomColumn(random, type, length)) };
}

const int = (bits: 8 | 16 | 32 | 64, signed: boolean): ColumnType => ({
  kind: "int",
  bits,
  signed,
});
const KEY_PAIRS: readonly [KeyType, ColumnType, ColumnType][] = [
  [KEY_32, INT32, INT32],
  [KEY_32, int(8, true), int(16, false)],
  [KEY_32, int(16, true), int(8, false)],
  [KEY_32, int(32, false), int(8, false)],
  [KEY_64, int(64, true), int(32, false)],
  [KEY_64, int(32, false), int(8, true)],
  [KEY_64, int(64, false), int(64, false)],
  [KEY_64, int(16, true), int(64, true)],
  [KEY_TEXT, STRING, STRING],
];
const PAYLOAD: readonly ColumnType[] = [STRING, int(64, true), { kind: "bool" }];

for (const [keyType, buildType, probeType] of KEY_PAIRS) {
  const name = (type: ColumnType) =>
    type.kind === "int" ? `${type.signed ? "" : "u"}int${type.bits}` : type.kind;
  const title = `join of ${name(probeType)} with ${name(buildType)} keys`;
  contextTest(`${title} gives every pair in order, with nulls and duplicates`, async (context) => {
    await forSeeds(2, async (random) => {
      const build = withPayload(random, randomKey(random, buildType, random.below(40)), PAYLOAD);
      const probe = withPayload(random, randomKey(random, probeType, random.below(600)), PAYLOAD);
      for (const how of ["inner", "left"] as const) {
        const maxRows = random.pick([100, 1_000, 100_000]);
        const joined = await joinOnDevice(context, keyType, build, probe, how, maxRows);
        assert(joined.sizes.every((size) => size <= maxRows));
        assertEquals(joined.columns, joinByLoops(build, probe, how), how);
      }
    });
  });
}

contextTest(
  "join with unique build keys gives each row at most one pair, in chunks of any size",
  async (context) => {
    await forSeeds(1, async (random) => {
      const values = Array.from({ length: 300 }, (_, k) => BigInt(2 * k)).reverse();
      const keyValues = values.map((value) => value % 7n === 0n ? null : value);
      const key = columnOfPlain(INT32, keyValues);
      const build = withPayload(random, { key, values: keyValues, columns: [] }, PAYLOAD);
      const numRows = 1_000 + random.below(300);
      const wanted = Array.from({ length: numRows }, () => BigInt(random.below(800)));
      const probeKey = {
        key: columnOfPlain(INT32, wanted),
        values: wanted,
        columns: [],
      };
      const probe = withPayload(random, probeKey, PAYLOAD);
      for (const how of ["inner", "left"] as const) {
        for (const maxRows of [130, 1_024, 5_000]) {
          const joined = await joinOnDevice(context, KEY_32, build, probe, how, maxRows);
          assert(joined.sizes.every((size) => size <= maxRows));
          assertEquals(joined.columns, joinByLoops(build, probe, how), `${how}, ${maxRows}`);
        }
      }
    });
  },
);

contextTest("join over many windows of both sides gives every pair", async (context) => {
  await forSeeds(1, async (random) => {
    const build = withPayload(random, randomKey(random, STRING, 30), PAYLOAD);
    const probe = withPayload(random, randomKey(random, STRING, 500), [...PAYLOAD, STRING]);
    const joined = await joinOnDevice(context, KEY_TEXT, build, probe, "left", 200);
    assertEquals(joined.columns, joinByLoops(build, probe, "left"));
  });
}, { windowBytes: 2_048 });

contextTest("join carries lists and structs of both sides", async (context) => {
  await forSeeds(1, async (random) => {
    const nested: ColumnType[] = [
      { kind: "list", item: STRING },
      INT32,
      { kind: "struct", fields: [STRING, INT32] },
    ];
    const build = withPayload(random, randomKey(random, INT32, 30), nested);
    const probe = withPayload(random, randomKey(random, INT32, 200), nested);
    for (const how of ["inner", "left"] as const) {
      const joined = await joinOnDevice(context, KEY_32, build, probe, how, 100);
      assertEquals(joined.columns, joinByLoops(build, probe, how));
    }
  });
});

contextTest(
  "join results have at most maxRows rows, also for one row with many matches",
  async (context) => {
    const rows = Array.from({ length: 1_000 }, (_, row) => row);
    const build = {
      key: columnOf(INT32, rows.map(() => 7)),
      columns: [columnOf(INT32, rows)],
    };
    const probe = {
      key: columnOf(INT32, [1, 7, 2, 7]),
      columns: [stringColumn(["a", "b", "c", "d"])],
    };
    const joined = await joinOnDevice(context, KEY_32, build, probe, "left", 600);
    assertEquals(joined.sizes, [600, 600, 600, 202]);
    assertEquals(joined.columns[0]!.filter((text) => text === "b").length, 1_000);
  },
);

contextTest(
  "join with an empty side, or without a match, gives one empty result",
  async (context) => {
    const none = { key: columnOf(INT32, []), columns: [stringColumn([])] };
    const some = { key: columnOf(INT32, [1, null]), columns: [stringColumn(["x", "y"])] };
    const other = { key: columnOf(INT32, [2, null]), columns: [stringColumn(["p", "q"])] };
    for (
      const [build, probe] of [[none, none], [some, none], [none, some], [other, some]] as const
    ) {
      const joined = await joinOnDevice(context, KEY_32, build, probe, "inner", 10);
      assertEquals(joined, { sizes: [0], columns: [[], []] });
    }
    const left = await joinOnDevice(context, KEY_32, none, some, "left", 10);
    assertEquals(left, { sizes: [2], columns: [["x", "y"], [null, null]] });
  },
);

contextTest("join refuses keys of another type than the table's", async (context) => {
  const side = { key: columnOf(INT32, [1]), columns: [] };
  const text = { key: stringColumn(["1"]), columns: [] };
  const join = (keyType: KeyType, build: typeof side, probe: typeof side) =>
    joinOnDevice(context, keyType, build, probe, "inner", 10);
  await assertRejects(() => join(KEY_32, side, text), TypeError, "int keys with string keys");
  await assertRejects(() => join(KEY_TEXT, text, side), TypeError, "string keys with int keys");
});

contextTest(
  "join passes the probe columns through where every row matches once",
  async (context) => {
    const key = columnOf(INT32, [3, 1, 2]);
    const payload = stringColumn(["three", "one", "two"]);
    const table = await buildTableOnDevice(context, tableRequest(key, KEY_32, [payload]));
    const probeKey = columnOf(INT32, [1, 1, 3]);
    const text = stringColumn(["a", "b", "c"]);
    const request = {
      key: probeKey,
      columns: [text],
      numRows: 3,
      limits: atMost(9),
    } as const;
    const { counters } = context.device;
    const { readbacks } = counters;
    for await (const { columns } of probeOnDevice(context, table!, request)) {
      assert(columns[0] === text);
      assertEquals(counters.readbacks - readbacks, 1);
      const [joined] = await downloadColumns(context, [columns[1]!]);
      assertEquals(plainOf(joined!), ["one", "one", "three"]);
      columns.forEach(releaseColumn);
    }
    table!.release();
  },
);

contextTest(
  "join uploads only the key where the probe columns will pass through",
  async (context) => {
    const { counters } = context.device;
    const key = columnOfPlain(INT32, [3n, 1n, 2n]);
    const tables = new Map<JoinHow, WebGpuJoinTable>();
    for (const how of ["inner", "left"] as const) {
      const request = tableRequest(key, KEY_32, [stringColumn(["c", "a", "b"])], how);
      tables.set(how, (await buildTableOnDevice(context, request))!);
    }
    const text = stringColumn(["x", "y"]);
    const probe = async (values: readonly Plain[], how: JoinHow) => {
      const { uploads, readbacks } = counters;
      const rows: Plain[][] = [];
      const request = {
        key: columnOfPlain(INT32, values),
        columns: [text],
        numRows: 2,
        limits: atMost(9),
      };
      for await (const { columns } of probeOnDevice(context, tables.get(how)!, request)) {
        rows.push(...(await downloadColumns(context, columns)).map(plainOf));
        columns.forEach(releaseColumn);
      }
      return {
        rows,
        uploads: counters.uploads - uploads,
        readbacks: counters.readbacks - readbacks,
      };
    };
    const all = [["x", "y"], ["a", "b"]];
    assertEquals(await probe([1n, 2n], "left"), { rows: all, uploads: 1, readbacks: 1 });
    // A table guesses that every row matches only after a batch in which it did.
    assertEquals(await probe([1n, 2n], "inner"), { rows: all, uploads: 2, readbacks: 1 });
    assertEquals(await probe([1n, 2n], "inner"), { rows: all, uploads: 1, readbacks: 1 });
    const one = [["y"], ["c"]];
    // The guess is wrong once, and then not made again until every row matches.
    assertEquals(await probe([7n, 3n], "inner"), { rows: one, uploads: 2, readbacks: 2 });
    assertEquals(await probe([7n, 3n], "inner"), { rows: one, uploads: 2, readbacks: 1 });
    assertEquals(await probe([1n, 2n], "inner"), { rows: all, uploads: 2, readbacks: 1 });
    assertEquals(await probe([1n, 2n], "inner"), { rows: all, uploads: 1, readbacks: 1 });
    tables.forEach((table) => table.release());
  },
);

contextTest("join whose text does not fit a window comes in smaller results", async (context) => {
  const rows = Array.from({ length: 40 }, (_, row) => row);
  const build = {
    key: columnOf(INT32, [1]),
    columns: [stringColumn(["long text ".repeat(40)])],
  };
  const probe = {
    key: columnOf(INT32, rows.map(() => 1)),
    columns: [columnOf(INT32, rows)],
  };
  const joined = await joinOnDevice(context, KEY_32, build, probe, "inner", 1_000);
  assert(joined.sizes.length > 1);
  assertEquals(joined.columns[1], rows.map(() => "long text ".repeat(40)));
}, { windowBytes: 4_096 });
