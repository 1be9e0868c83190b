import { assert, assertEquals } from "@std/assert";
import type { JoinTable, KeyType, ResultLimits, TableRequest } from "../../../../../gpu/backend.ts";
import {
  type Column,
  columnBytes,
  type HostColumn,
  nullColumn,
} from "../../../../../gpu/column/column.ts";
import { sliceColumn } from "../../../../../gpu/column/slice.ts";
import { givesProbeRows, type JoinHow, joinKinds } from "../../../../../gpu/join_kind.ts";
import { createEngine } from "../../../../../mod.ts";
import type { HostRows } from "../../../../../ops/spill/host_rows.ts";
import { LargeBuildSide, readBuildSide } from "../../../../../ops/join/equi/large_build_side.ts";
import { type JoinShape, SpilledJoin } from "../../../../../ops/join/equi/spilled_join.ts";
import type { JoinedRows } from "../../../../../ops/join/shared/restore_order.ts";
import { Spill } from "../../../../../ops/spill/spill.ts";
import { TempFolder } from "../../../../../streams/formats/arrow/temp_folder.ts";
import { columnOf, type Value, valuesOf } from "../../../../support/values/host_columns.ts";
import { forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";
import { someOf } from "../../../../support/random/test_size.ts";

const backend = await createEngine({ device: "cpu" }).backend();
const limits: ResultLimits = { rows: 500, bytes: 1 << 20 };
const hows = Object.keys(joinKinds) as JoinHow[];

/** A row of either side: its key, and what it says of itself. */
interface Row {
  readonly key: Value;
  readonly name: string | null;
  readonly id: number;
}

const NAMES = [
  "Zoë",
  "Łukasz",
  "Ngũgĩ wa Thiong’o",
  "李小龍",
  "O",
  "",
  "Guðmundur Ágústsson",
  "Dvořák",
];

/** Rows whose keys are drawn by `draw`; some keys and some names are null. */
function drawRows(random: SeededRandom, numRows: number, draw: () => Value): Row[] {
  return Array.from({ length: numRows }, (_, id) => ({
    key: random.chance(0.05) ? null : draw(),
    name: random.chance(0.1) ? null : random.pick(NAMES).repeat(random.below(4)),
    id,
  }));
}

const KEY_TYPES = {
  int32: { key: { kind: "int", bits: 32 }, column: { kind: "int", bits: 32, signed: true } },
  int64: { key: { kind: "int", bits: 64 }, column: { kind: "int", bits: 64, signed: true } },
  string: { key: { kind: "string" }, column: { kind: "string" } },
} as const;
type KeyName = keyof typeof KEY_TYPES;

function columnsOf(rows: readonly Row[], key: KeyName): HostColumn[] {
  return [
    columnOf(KEY_TYPES[key].column, rows.map((row) => row.key)),
    columnOf({ kind: "string" }, rows.map((row) => row.name)),
    columnOf({ kind: "int", bits: 32, signed: true }, rows.map((row) => row.id)),
  ];
}

/** The rows in batches of random sizes, some of them empty; slices of columns among noise. */
async function* batchesOf(
  random: SeededRandom,
  rows: readonly Row[],
  key: KeyName,
): AsyncGenerator<HostRows> {
  const columns = columnsOf(rows, key);
  let start = 0;
  do {
    const stop = Math.min(rows.length, start + random.below(random.pick([3, 40, 900])));
    yield {
      columns: columns.map((column) => sliceColumn(column, start, stop)),
      numRows: stop - start,
    };
    start = stop;
    await Promise.resolve();
  } while (start < rows.length);
}

/** A join of which all columns come out; that of the key of the build side with its own rows only. */
function shapeOf(
  how: JoinHow,
  keyType: KeyType,
  nullsEqual: boolean,
  order: "probe" | "none",
): JoinShape {
  const { matchedRows, buildOnlyRows } = joinKinds[how];
  // Of a cross join the key is a constant.
  const keyOf = how === "cross" ? constantKey : ({ columns }: HostRows) => columns[0]!;
  return {
    how,
    order,
    keyType: how === "cross" ? KEY_TYPES.int32.key : keyType,
    nullsEqual,
    build: {
      keyOf,
      payload: matchedRows === "each" || buildOnlyRows !== "none" ? [2, 1] : [],
      buildOnlyPayload: buildOnlyRows === "none" ? [] : [0],
    },
    probe: { keyOf, output: givesProbeRows(joinKinds[how]) ? [0, 1, 2] : [] },
  };
}

function constantKey({ numRows }: HostRows): HostColumn {
  return { ...nullColumn(KEY_TYPES.int32.column, numRows), nullCount: 0, validity: null };
}

/** A row of a result: which side gives it, and its values. */
type Joined = readonly Value[];

function valuesIn({ columns, numRows, side }: JoinedRows): Joined[] {
  const values = columns.map((column: Column) => valuesOf(column as HostColumn));
  return Array.from({ length: numRows }, (_, row) => [side, ...values.map((of) => of[row]!)]);
}

/** What a join gives, row by row, from its definition. */
function expected(
  left: readonly Row[],
  right: readonly Row[],
  how: JoinHow,
  nullsEqual: boolean,
): Joined[] {
  const keyOf = ({ key }: Row) => key === null && !nullsEqual ? undefined : String(key);
  const byKey = Map.groupBy(right, keyOf);
  const rows: Joined[] = [];
  const matched = new Set<Row>();
  const { matchedRows, unmatchedRows, buildOnlyRows } = joinKinds[how];
  for (const row of left) {
    const key = how === "cross" ? undefined : keyOf(row);
    const matches = how === "cross" ? right : key === undefined ? [] : byKey.get(key) ?? [];
    for (const match of matches) matched.add(match);
    const own = ["probe", row.key, row.name, row.id];
    if (matchedRows === "each") {
      for (const match of matches) rows.push([...own, match.id, match.name]);
    }
    if (matchedRows === "once" && matches.length > 0) rows.push(own);
    if (matches.length === 0 && unmatchedRows > 0) {
      rows.push(how === "anti" ? own : [...own, null, null]);
    }
  }
  if (buildOnlyRows === "none") return rows;
  for (const row of right) {
    if (matched.has(row) === (buildOnlyRows === "matched")) {
      rows.push(["build", row.id, row.name, row.key]);
    }
  }
  return rows;
}

interface Case {
  readonly left: readonly Row[];
  readonly right: readonly Row[];
  readonly how: JoinHow;
  readonly key: KeyName;
  readonly nullsEqual?: boolean;
  readonly order?: "probe" | "none";
  readonly memory: number;
  readonly random: SeededRandom;
  readonly backend?: typeof backend;
}

/** The rows of a join in bounded memory, and the bytes that it wrote to files. */
async function joinedRows(
  { left, right, how, key, nullsEqual = false, order = "probe", memory, random, ...given }: Case,
): Promise<{ rows: Joined[]; bytesWritten: number }> {
  using folder = new TempFolder(undefined, "cannot hold rows");
  const { signal } = new AbortController();
  const shape = shapeOf(how, KEY_TYPES[key].key, nullsEqual, order);
  const used = given.backend ?? backend;
  const spill = new Spill({ memory, limits, folder, signal }, used.maxTableBytes);
  const join = new SpilledJoin(shape, used, spill);
  const build = await readBuildSide(join, batchesOf(random, right, key));
  if (!(build instanceof LargeBuildSide)) throw new Error("The build side fits into memory");
  const rows: Joined[] = [];
  for await (const result of build.joined(batchesOf(random, left, key))) {
    assert(result.numRows <= limits.rows);
    rows.push(...valuesIn(result));
  }
  return { rows, bytesWritten: folder.bytesWritten };
}

/** Checks a join against its definition: row by row, or where any order will do, as a set. */
async function check(given: Case): Promise<{ bytesWritten: number }> {
  const { left, right, how, nullsEqual = false, order = "probe" } = given;
  const { rows, bytesWritten } = await joinedRows(given);
  const wanted = expected(left, right, how, nullsEqual);
  if (order === "probe") assertEquals(rows, wanted, `${how}, ${given.key} keys`);
  else assertEquals(sorted(rows), sorted(wanted), `${how}, ${given.key} keys, any order`);
  return { bytesWritten };
}

function sorted(rows: readonly Joined[]): string[] {
  return rows.map((row) => row.map(String).join("|")).sort();
}

/** A backend that counts the tables, and their bytes while they exist. */
function watched(maxTableBytes?: number) {
  const seen = { numTables: 0, liveBytes: 0, mostBytes: 0 };
  const watcher = new Proxy(backend, {
    get(target, name) {
      if (name === "maxTableBytes") return maxTableBytes;
      const value = Reflect.get(target, name, target);
      if (name !== "buildTable") return typeof value === "function" ? value.bind(target) : value;
      return async (request: TableRequest): Promise<JoinTable> => {
        const columns = new Set([request.key, ...request.payload, ...request.buildOnlyPayload]);
        const bytes = [...columns].reduce((sum, column) => sum + columnBytes(column), 0);
        const table = await target.buildTable(request);
        const release = table.release.bind(table);
        if (request.key.length > 0) seen.numTables++;
        seen.liveBytes += bytes;
        seen.mostBytes = Math.max(seen.mostBytes, seen.liveBytes);
        table.release = () => {
          seen.liveBytes -= bytes;
          release();
        };
        return table;
      };
    },
  });
  return { watcher, seen };
}

/** A key of a row, by the name of its type. */
function drawKey(random: SeededRandom, key: KeyName, numKeys: number): Value {
  const number = random.below(numKeys);
  if (key === "int32") return number - 700;
  return key === "int64" ? (BigInt(number) - 9n) * 2n ** 40n : `${random.pick(NAMES)} ${number}`;
}

const orders = ["probe", "none"] as const;
const keyNames = Object.keys(KEY_TYPES) as KeyName[];

Deno.test("all kinds of joins in a few KiB give the rows of their definition, in its order", () =>
  forSeeds(1, async (random) => {
    for (const how of someOf(hows, 2)) {
      for (const key of keyNames) {
        const numRows = how === "cross" ? 70 : 900;
        const draw = () => drawKey(random, key, numRows);
        const left = drawRows(random, numRows, draw);
        const right = drawRows(random, numRows, draw);
        const nullsEqual = random.chance(0.5);
        for (const order of orders) {
          const memory = how === "cross" ? 1000 : random.pick([4000, 16_000, 40_000]);
          const { watcher, seen } = watched();
          const given = { left, right, how, key, nullsEqual, order, memory, random };
          const { bytesWritten } = await check({ ...given, backend: watcher });
          assert(bytesWritten > 0);
          assert(seen.numTables > 1);
          assert(seen.mostBytes <= memory, `${seen.mostBytes} bytes of tables in ${memory}`);
          assertEquals(seen.liveBytes, 0);
        }
      }
    }
  }));

Deno.test("one key that exceeds memory is joined chunk by chunk, alone or beside others", () =>
  forSeeds(1, async (random) => {
    for (const how of someOf(hows, 3)) {
      for (const share of [0.9, 1]) {
        const draw = (rare: number) => () => random.chance(share) ? 7 : 8 + random.below(rare);
        // The probe side has the key in few rows, or every pair would come out.
        const left = drawRows(random, 500, () => random.chance(0.02) ? 7 : random.below(400));
        const right = drawRows(random, how === "cross" ? 50 : 600, draw(400));
        const key = random.pick(["int32", "int64"] as const);
        const typed = (rows: Row[]) =>
          key === "int32" ? rows : rows.map((row) => ({ ...row, key: wide(row.key) }));
        for (const order of orders) {
          const { watcher, seen } = watched();
          const memory = how === "cross" ? 1000 : 6000;
          const nullsEqual = random.chance(0.5);
          const sides = { left: typed(left), right: typed(right) };
          await check({ ...sides, how, key, nullsEqual, order, memory, random, backend: watcher });
          assert(seen.numTables > 2, `${seen.numTables} tables`);
          assert(seen.mostBytes <= memory);
        }
      }
    }
  }));

function wide(key: Value): Value {
  return key === null ? null : BigInt(key as number);
}

Deno.test("sides without rows, without matches, and of null keys alone", () =>
  forSeeds(1, async (random) => {
    const some = drawRows(random, 250, () => random.below(50));
    const others = drawRows(random, 250, () => 1000 + random.below(50));
    const nulls = some.map((row) => ({ ...row, key: null }));
    const few = some.slice(0, 3);
    for (const how of someOf(hows.filter((how) => how !== "cross"), 2)) {
      for (const left of [[], some, nulls, few]) {
        for (const right of [some, others, nulls]) {
          for (const nullsEqual of left === nulls && right === nulls ? [false] : [false, true]) {
            const order = random.pick(orders);
            const given = { left, right, how, nullsEqual, order, random, memory: 5000 };
            await check({ ...given, key: "int32" });
          }
        }
      }
    }
  }));

Deno.test("a backend with less memory than the host gets tables that it can hold at a time", () =>
  forSeeds(1, async (random) => {
    for (const how of hows.filter((how) => how !== "cross")) {
      const draw = () => drawKey(random, "string", 800);
      const left = drawRows(random, 900, draw);
      const right = drawRows(random, 900, draw);
      for (const order of orders) {
        const { watcher, seen } = watched(40_000);
        const given = { left, right, how, order, random, memory: 2 ** 22, key: "string" } as const;
        await check({ ...given, backend: watcher });
        assert(seen.numTables > 1);
        assert(seen.mostBytes <= 40_000);
      }
    }
  }));
