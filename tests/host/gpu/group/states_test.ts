import { assertEquals } from "@std/assert";
import type { ColumnType, HostColumn } from "../../../../gpu/column/column.ts";
import { sliceColumn } from "../../../../gpu/column/slice.ts";
import { ChosenRowState } from "../../../../gpu/group/chosen_rows.ts";
import { ListState, ModeState } from "../../../../gpu/group/collected_rows.ts";
import { Counts, DistinctCounts } from "../../../../gpu/group/counts.ts";
import { FloatSumState } from "../../../../gpu/group/float_sums.ts";
import { GroupOverflowError } from "../../../../base/errors/value_error.ts";
import type { GroupState } from "../../../../gpu/group/group_state.ts";
import { IntegerSumState } from "../../../../gpu/group/integer_sums.ts";
import { SpreadState } from "../../../../gpu/group/moments.ts";
import { TruthState } from "../../../../gpu/group/truth.ts";
import { modelAggregate } from "../../../support/models/aggregate_model.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";
import { columnOf, type Value, valuesOf } from "../../../support/values/host_columns.ts";

type State = readonly [name: string, make: (type: ColumnType) => GroupState];

const ANY: readonly State[] = [
  ["count", () => new Counts()],
  ["countDistinct", (type) => new DistinctCounts(type)],
  ["first", (type) => new ChosenRowState(type, "first")],
  ["last", (type) => new ChosenRowState(type, "last")],
  ["min", (type) => new ChosenRowState(type, "least")],
  ["max", (type) => new ChosenRowState(type, "greatest")],
  ["argMin", (type) => new ChosenRowState(type, "least")],
  ["argMax", (type) => new ChosenRowState(type, "greatest")],
  ["mode", (type) => new ModeState(type)],
  ["list", (type) => new ListState(type)],
];
const FLOATS: readonly State[] = [
  ["floatSum", () => new FloatSumState()],
  ["variance", () => new SpreadState("variance", 1)],
];
const INTEGERS: readonly State[] = [
  [
    "sum",
    (type) => new IntegerSumState(!(type.kind === "int" && !type.signed && type.bits === 64)),
  ],
];
const TESTS: readonly State[] = [["any", () => new TruthState("any")], [
  "all",
  () => new TruthState("all"),
]];

const int = (bits: 8 | 16 | 32 | 64, signed = true): ColumnType => ({ kind: "int", bits, signed });
const float = (bits: 32 | 64): ColumnType => ({ kind: "float", bits });

/** The types with their values; some values are at a limit, and some differ by a bit. */
const TYPES: readonly {
  readonly type: ColumnType;
  readonly values: (random: SeededRandom) => Value;
  readonly states: readonly State[];
}[] = [
  { type: int(8), values: (random) => random.below(256) - 128, states: [...ANY, ...INTEGERS] },
  {
    type: int(32, false),
    values: (random) => random.pick([0, 1, 2 ** 32 - 1, random.below(9)]),
    states: [...ANY, ...INTEGERS],
  },
  {
    type: int(64),
    values: (random) =>
      random.pick([
        2n ** 53n,
        2n ** 53n + 1n,
        -(2n ** 62n),
        2n ** 62n,
        BigInt(random.below(5) - 2),
      ]),
    states: [...ANY, ...INTEGERS],
  },
  {
    type: int(64, false),
    values: (random) => BigInt(random.below(1000)) * 2n ** 50n,
    states: [...ANY, ...INTEGERS],
  },
  { type: float(64), values: someFloat, states: [...ANY, ...FLOATS] },
  {
    type: float(32),
    values: (random) => Math.fround(someFloat(random)),
    states: [...ANY, ...FLOATS],
  },
  { type: { kind: "string" }, values: someText, states: ANY },
  {
    type: { kind: "bool" },
    values: (random) => random.chance(0.5),
    states: [...ANY, ...INTEGERS, ...TESTS],
  },
];

function someFloat(random: SeededRandom): number {
  const near = (random.next() - 0.5) * 10 ** random.below(4);
  const far = (random.next() - 0.5) * 2 ** (random.below(2000) - 1000);
  const edge = [0, -0, 5e-324, 2 ** -1022, Number.MAX_VALUE, -Number.MAX_VALUE, 1e100, -1e100];
  const special = [NaN, Infinity, -Infinity];
  const kind = random.next();
  return kind < 0.8 ? near : kind < 0.9 ? far : random.pick(kind < 0.99 ? edge : special);
}

function someText(random: SeededRandom): string {
  const stem = random.pick(["", "San ", "San Francisco", "Zürich", "東京", "a\u{10ffff}"]);
  return stem + random.pick(["", "", "\0", "b", "é"]);
}

Deno.test("states of any batches have the aggregates of the model, by exact fractions", () => {
  const draws = new Draws([
    "a rest",
    "overflow",
    "null result",
    "many parts",
    "an infinity",
    "NaN",
  ]);
  return forSeeds(120, (random) => {
    const { type, values, states } = random.pick(TYPES);
    const numRows = random.pick([0, 1, 7, 60, 300]);
    const numGroups = random.pick([1, 2, 30]);
    const rate = random.pick([0, 0.3]);
    const rows = Array.from({ length: numRows }, () => random.chance(rate) ? null : values(random));
    const others = rows.map(() => random.chance(rate) ? null : random.below(5));
    // Groups are numbered by their first rows.
    const numbers = new Map<number, number>();
    const groups = Int32Array.from(rows, () => {
      const drawn = random.below(numGroups);
      if (!numbers.has(drawn)) numbers.set(drawn, numbers.size);
      return numbers.get(drawn)!;
    });
    const column = columnOf(type, rows, { random });
    const other = columnOf(int(32), others, { random });
    const most = random.pick([1, 3, 50, 1000]);
    if (most === 1 && numRows === 300) draws.add("many parts");
    for (const [name, make] of states) {
      const inputs = name.startsWith("arg") ? [column, other] : [column];
      const wanted = Array.from({ length: numbers.size }, (_, group) => {
        const of = <T>(list: readonly T[]) => list.filter((_, row) => groups[row] === group);
        return modelAggregate(name, of(rows), of(others));
      });
      const state = make(type);
      addInParts(state, groups, inputs, most, random);
      const isOut = (value: Value) => typeof value === "bigint" && !fits(value, type);
      if (name === "sum" && wanted.some(isOut)) {
        draws.add("overflow");
        assertOverflow(state, numbers.size, wanted.findIndex(isOut), wanted as bigint[]);
        continue;
      }
      assertEquals(
        valuesOf(state.finish(numbers.size)),
        wanted,
        `${name} of ${JSON.stringify(type)}`,
      );
      if (wanted.includes(null)) draws.add("null result");
      if (name === "floatSum" && wanted.includes(Infinity)) draws.add("an infinity");
      if (name === "floatSum" && wanted.includes(NaN)) draws.add("NaN");
      if (name === "floatSum" && rows.includes(Number.MAX_VALUE)) draws.add("a rest");
    }
  }, draws);
});

function addInParts(
  state: GroupState,
  groups: Int32Array,
  inputs: readonly HostColumn[],
  most: number,
  random: SeededRandom,
): void {
  let numGroups = 0;
  for (let start = 0; start < groups.length;) {
    const stop = Math.min(groups.length, start + 1 + random.below(most));
    const part = groups.subarray(start, stop);
    numGroups = Math.max(numGroups, ...part.map((group) => group + 1));
    state.add({
      groups: part,
      numGroups,
      inputs: inputs.map((input) => sliceColumn(input, start, stop)),
    });
    start = stop;
  }
}

function fits(value: bigint, type: ColumnType): boolean {
  const isUnsigned = type.kind === "int" && !type.signed && type.bits === 64;
  return isUnsigned ? BigInt.asUintN(64, value) === value : BigInt.asIntN(64, value) === value;
}

function assertOverflow(
  state: GroupState,
  numGroups: number,
  group: number,
  sums: readonly bigint[],
): void {
  try {
    state.finish(numGroups);
  } catch (error) {
    if (!(error instanceof GroupOverflowError)) throw error;
    assertEquals([error.group, error.sum], [group, sums[group]]);
    return;
  }
  throw new Error(`A sum of ${sums[group]} fits`);
}

Deno.test("sums of integers carry between words after a million rows", () => {
  const numRows = 3_000_000;
  const type = int(64);
  const data = new BigInt64Array(numRows).map((_, row) =>
    row % 2 === 0 ? 2n ** 63n - 1n : -(2n ** 63n) + 5n
  );
  const column: HostColumn = {
    ...columnOf(type, []),
    length: numRows,
    data: new Uint8Array(data.buffer),
  };
  const state = new IntegerSumState(true);
  state.add({ groups: new Int32Array(numRows), numGroups: 1, inputs: [column] });
  assertEquals(valuesOf(state.finish(1)), [BigInt(numRows / 2) * 4n]);
});
