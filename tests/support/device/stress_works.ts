/**
 * What the stress test does: work of every kind over columns whose rows end within words, so that each
 * kernel that is written by hand, and each kind of pass that is generated, is among it.
 */

import { Bool, type DataType, Int16, Int32, Int64, Int8, Utf8 } from "apache-arrow";
import type { Backend, ResultRows } from "../../../gpu/backend.ts";
import { type BoxCopy, denseStrides } from "../../../gpu/column/boxes/box_copy.ts";
import { type Column, type HostColumn, releaseColumn } from "../../../gpu/column/column.ts";
import type { ColumnType } from "../../../gpu/column/column.ts";
import { concatColumns } from "../../../gpu/column/concat.ts";
import { sliceColumn } from "../../../gpu/column/slice.ts";
import type { JoinHow } from "../../../gpu/join_kind.ts";
import { columnTypeOf } from "../../../ops/batch/arrow_types.ts";
import { bareColumnOf, type Value } from "../values/host_columns.ts";
import { compileProgram } from "../kernels/programs.ts";
import type { SeededRandom } from "../random/seeded_random.ts";
import { atMost, tableRequest } from "../joins/table_request.ts";

/** Rows that are made one by one; a batch repeats them. They end within words. */
const BLOCK_ROWS = (1 << 17) - 1;

/** One row of this number is long: text from 12,289 bytes on gets a workgroup of its own. */
const LONG_ROWS = 4099;
const LONG_BYTES = [12_289, 30_000] as const;

/** Keys of the build side of joins, for a number of rows in all; half of the probe rows have others. */
function numKeys(numRows: number): number {
  return Math.min(30_000, Math.ceil(numRows / 8));
}

const INT32: ColumnType = { kind: "int", bits: 32, signed: true };

/** The columns that expressions read. */
const TYPES = {
  name: new Utf8(),
  kind: new Utf8(),
  label: new Utf8(),
  long: new Utf8(),
  tiny: new Int8(),
  small: new Int16(),
  id: new Int32(),
  wide: new Int64(),
  flag: new Bool(),
} as const;

/** All columns: also lists, and numbers without nulls. */
const COLUMN_TYPES = {
  ...Object.fromEntries(
    Object.entries(TYPES).map(([name, type]) => [name, columnTypeOf(type as DataType)!]),
  ) as Record<keyof typeof TYPES, ColumnType>,
  parts: { kind: "list", item: { kind: "string" } },
  numbers: { kind: "list", item: INT32 },
  dense: INT32,
  bytes: { kind: "int", bits: 8, signed: true },
} as const;

/** A name of a column. */
export type StressColumn = keyof typeof COLUMN_TYPES;

/** The names of all columns. */
const COLUMNS = Object.keys(COLUMN_TYPES) as StressColumn[];

/** One kind of work. */
export interface Work {
  readonly name: string;
  /** The columns that it reads. */
  readonly reads: readonly StressColumn[];
  /** Whether it also runs where columns lie in several windows. */
  readonly inWindows?: boolean;
  /** Whether it also runs where text is made in one pass. */
  readonly inOnePass?: boolean;
  /** Whether it also runs where rows have several lanes. */
  readonly inLanes?: boolean;
  /** Does it over those columns. */
  run(backend: Backend, columns: readonly Column[]): AsyncIterable<ResultRows>;
}

const REDACTED =
  'kind == "public" ? name.splitPart(" ", 1).slice(0, 1) + " " + name.splitPart(" ", 0) : "X X"';

const EXPRESSIONS = [
  REDACTED,
  // Text to text: maps, searches, parts, what grows and what shrinks.
  ...["name.upper()", "label.upper()", "name.title()", "name.reverse()", "name.slice(2, 8)"],
  ...['name.replace("a", "bb")', "name.pad(12)", 'name + "," + kind', "name.repeat(3)"],
  ...['label.replaceRe("[0-3]+", "-")', "id.toString()", 'name.split("a").join("-")'],
  // Masks, numbers and casts.
  ...["name.length()", 'name.contains("an")', 'name.containsRe("^[A-M].*[aeiou]$")'],
  ...['name.find("o")', 'flag && name.startsWith("S")', "name < kind", "id + id", "wide + id"],
  ...['tryCast(small, "int8")', 'tryCast(id, "int16")', "tiny + small", "id > 30000"],
  ...['name.split(" ")'],
  // Rows that have a workgroup each.
  ...['long.contains("needle")', 'long.find("needle")', 'long.count("n")', "long.length()"],
  ...['long.replace("needle", "pin")', 'long.splitPart(";", 2)'],
];

/** Works that one pass computes, too: with notes, with loops, and with two columns. */
const TILED = [
  ...[REDACTED, "name.title()", "name.reverse()", "name.slice(2, 8)"],
  ...['name.replace("a", "bb")', "name.pad(12)", 'name + "," + kind', "id.toString()"],
];

/** Those for which lanes mark rows, in every way, and copy text. */
const LANED = [
  ...["name.length()", 'name.contains("an")', 'name.find("o")', "name < kind", "long.length()"],
  ...['name.replace("a", "bb")', 'name + "," + kind', 'long.replace("needle", "pin")'],
];

/** All works. */
export function stressWorks(
  random: SeededRandom,
  texts: readonly string[],
  numRows: number,
): Work[] {
  return [
    ...EXPRESSIONS.map(expression),
    FILTER,
    GATHER,
    ...[boxes("dense", 7), boxes("bytes", 3)],
    ...joins(random, texts, numKeys(numRows)),
  ];
}

function expression(text: string): Work {
  const { program, inputNames } = compileProgram([text], TYPES);
  return {
    name: text,
    reads: inputNames as StressColumn[],
    inOnePass: TILED.includes(text),
    inLanes: LANED.includes(text),
    async *run(backend, columns) {
      yield await backend.evaluate(program, columns, columns[0]!.length);
    },
  };
}

const FILTER: Work = {
  name: "filter",
  reads: ["flag", ...COLUMNS],
  inWindows: true,
  inOnePass: true,
  async *run(backend, [mask, ...columns]) {
    yield await backend.filter(columns, mask!, mask!.length);
  },
};

/** Rows of columns on the device, which a filter leaves there, by another order. */
const GATHER: Work = {
  name: "gather",
  reads: ["flag", "name", "parts", "numbers", "id", "tiny", "flag"],
  inWindows: true,
  inOnePass: true,
  async *run(backend, [mask, ...columns]) {
    const { columns: kept, numRows } = await backend.filter(columns, mask!, mask!.length);
    const selection = new Int32Array(numRows);
    for (let row = 0; row < numRows; row++) {
      selection[row] = row % 11 === 5 ? -1 : (row * 7919) % numRows;
    }
    try {
      yield { columns: await backend.gather(kept, selection), numRows };
    } finally {
      kept.forEach(releaseColumn);
    }
  },
};

/** Lines of 16 runs of a number of items, each run to a part of its own. */
function boxes(name: "dense" | "bytes", runItems: number): Work {
  const type = COLUMN_TYPES[name];
  const itemBytes = type.bits / 8;
  return {
    name: `boxes of ${runItems * itemBytes} bytes`,
    reads: [name],
    async *run(backend, [column]) {
      const numLines = Math.floor(column!.length / runItems / 16);
      const numRows = numLines * runItems * 16;
      const shape = [numLines, runItems];
      const parts = Array.from({ length: 16 }, (_, part): BoxCopy => ({
        itemBytes,
        shape,
        from: {
          offset: part * runItems * itemBytes,
          strides: [16 * runItems * itemBytes, itemBytes],
        },
        to: {
          offset: part * numLines * runItems * itemBytes,
          strides: denseStrides(shape, itemBytes),
        },
      }));
      const sources = [{ column: column!, boxes: parts }];
      const fill = new Uint8Array(itemBytes);
      const copied = await backend.copyBoxes({ type, numRows, rowItems: 1, fill, sources });
      yield { columns: [copied], numRows };
    },
  };
}

/** By text and by number; keys of one row and of two. */
function joins(random: SeededRandom, texts: readonly string[], numKeys: number): Work[] {
  const sides = [1, 2].map((rowsOfKey) => {
    const made = makeBlock(random, texts, rowsOfKey * numKeys, (row) => row % numKeys);
    return { rowsOfKey, made };
  });
  const kinds: readonly (readonly [JoinHow, rowsOfKey: number])[] = [
    ...[["inner", 1], ["left", 1], ["inner", 2], ["full", 2], ["semi", 2]] as const,
    ...[["right-anti", 2], ["right-semi", 1]] as const,
  ];
  return (["label", "id"] as const).flatMap((key) =>
    kinds.map(([how, rowsOfKey]): Work => {
      const { made } = sides.find((side) => side.rowsOfKey === rowsOfKey)!;
      const payload = [made.name, made.wide];
      const keyType = key === "label" ? { kind: "string" } : INT32;
      return {
        name: `${how} join by ${key}, ${rowsOfKey} a key`,
        reads: [key, "name", "id"],
        inWindows: how === "inner",
        async *run(backend, [probed, ...columns]) {
          const buildOnlyPayload = how.startsWith("right") || how === "full" ? payload : [];
          const request = tableRequest(made[key], keyType as never, payload, how);
          const table = await backend.buildTable({ ...request, buildOnlyPayload });
          try {
            const limits = atMost(2 ** 30);
            yield* backend.probe(table, probed!, columns, probed!.length, limits);
            yield* backend.buildOnlyRows(table, limits);
          } finally {
            table.release();
          }
        },
      };
    })
  );
}

/** Columns of a number of rows, which repeat a random block. */
export function randomColumns(
  random: SeededRandom,
  texts: readonly string[],
  numRows: number,
): Record<StressColumn, HostColumn> {
  const key = () => random.below(2 * numKeys(numRows));
  const block = makeBlock(random, texts, Math.min(numRows, BLOCK_ROWS), key);
  return Object.fromEntries(COLUMNS.map((name) => {
    const parts: HostColumn[] = [];
    for (let left = numRows; left > 0; left -= block[name].length) {
      parts.push(sliceColumn(block[name], 0, Math.min(left, block[name].length)));
    }
    return [name, concatColumns(parts)];
  })) as Record<StressColumn, HostColumn>;
}

function makeBlock(
  random: SeededRandom,
  texts: readonly string[],
  numRows: number,
  keyOf: (row: number) => number,
): Record<StressColumn, HostColumn> {
  const keys = Array.from({ length: numRows }, (_, row) => keyOf(row));
  const longStart = random.below(50);
  const isLong = (row: number) => row % LONG_ROWS === longStart;
  const shortText = () => random.pick(texts).slice(0, random.below(24)).toWellFormed();
  const listOf = <T>(make: () => T) =>
    Array.from({ length: random.below(4) }, () => random.chance(0.1) ? null : make());
  const makers: Readonly<Record<StressColumn, (row: number) => Value>> = {
    // Few are long enough for a copy by the workgroup.
    name: () => random.chance(0.0005) ? random.pick(texts).repeat(60) : shortText(),
    kind: () => random.pick(["public", "private", "", "x"]),
    label: (row) => `${"#".repeat(keys[row]! % 7)}${keys[row]}`,
    long: (row) => isLong(row) ? longText(random) : shortText(),
    tiny: () => random.below(256) - 128,
    small: () => random.below(600) - 300,
    id: (row) => keys[row]!,
    wide: () => BigInt(random.below(2 ** 32)) * 4_000_000_007n,
    flag: () => random.chance(0.5),
    parts: () => listOf(shortText),
    numbers: () => listOf(() => random.below(1000)),
    dense: () => random.below(2 ** 31),
    bytes: () => random.below(256) - 128,
  };
  return Object.fromEntries(COLUMNS.map((name) => {
    // A batch of few rows has one long text, which is there.
    const hasNulls = (row: number) =>
      name !== "dense" && name !== "bytes" && !(name === "long" && isLong(row));
    const values = Array.from(
      { length: numRows },
      (_, row) => hasNulls(row) && random.chance(0.06) ? null : makers[name](row),
    );
    return [name, bareColumnOf(COLUMN_TYPES[name], values)];
  })) as Record<StressColumn, HostColumn>;
}

/** Text with a needle somewhere, or none, and some semicolons. */
function longText(random: SeededRandom): string {
  const [least, most] = LONG_BYTES;
  const size = least + random.below(most - least - 10);
  const letters = Array.from(
    { length: size },
    () => random.chance(0.001) ? ";" : "mnopq"[random.below(5)]!,
  );
  if (random.chance(0.7)) letters[random.below(size)] = "needle";
  return letters.join("");
}
