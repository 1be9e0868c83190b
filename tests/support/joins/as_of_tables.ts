/** Random sides of as-of joins: sorted times of every type, in groups, cut into batches. */

import * as arrow from "apache-arrow";
import { compareTimes, type ModelTime } from "../models/as_of_model.ts";
import { batchOfColumns, columnOfValues } from "../values/arrow_columns.ts";
import type { SeededRandom } from "../random/seeded_random.ts";

/** Types of the time on both sides, and what their values are. */
interface TimePair {
  readonly left: arrow.DataType;
  readonly right: arrow.DataType;
  /** A value that both types have. */
  value(random: SeededRandom): ModelTime;
  /** Tolerances that fit the common type. */
  readonly tolerances: readonly (number | bigint | string)[];
}

const few = (random: SeededRandom) => random.below(30);
const signed = (random: SeededRandom) => random.below(30) - 15;
const big = (base: bigint, step = 1n) => (random: SeededRandom) =>
  base + BigInt(few(random)) * step;
const small = [0, 1, 4, "2", 1000];
const stamps = ["0s", "2s", "1m", 1, 3600];
const fraction = (random: SeededRandom) =>
  random.chance(0.2)
    ? random.pick([Infinity, -Infinity, NaN, -0, 0, 65504, -65504])
    : random.below(40) / 8 - 2;

/** Pairs of every kind of time that there is. */
export const timePairs: readonly TimePair[] = [
  { left: new arrow.Int8(), right: new arrow.Int8(), value: signed, tolerances: small },
  { left: new arrow.Int8(), right: new arrow.Uint32(), value: few, tolerances: small },
  { left: new arrow.Uint16(), right: new arrow.Int16(), value: few, tolerances: small },
  { left: new arrow.Uint32(), right: new arrow.Uint32(), value: few, tolerances: small },
  { left: new arrow.Int32(), right: new arrow.Int64(), value: signed, tolerances: small },
  { left: new arrow.Uint64(), right: new arrow.Uint8(), value: few, tolerances: small },
  {
    left: new arrow.Int64(),
    right: new arrow.Int64(),
    value: (random) =>
      random.pick([big(2n ** 60n), big(-(2n ** 63n)), big(2n ** 63n - 30n)])(random),
    tolerances: [...small, 2n ** 62n + 1n],
  },
  {
    left: new arrow.Uint64(),
    right: new arrow.Uint64(),
    value: (random) => random.pick([big(2n ** 63n), big(0n), big(2n ** 64n - 30n)])(random),
    tolerances: [...small, 2n ** 63n + 1n],
  },
  {
    left: new arrow.Float16(),
    right: new arrow.Float64(),
    value: fraction,
    tolerances: [0, 0.25, 1],
  },
  { left: new arrow.Float32(), right: new arrow.Float32(), value: fraction, tolerances: [0, 0.5] },
  {
    left: new arrow.DateDay(),
    right: new arrow.DateDay(),
    value: signed,
    tolerances: ["2d", "48h", 0],
  },
  {
    left: new arrow.DateMillisecond(),
    right: new arrow.DateMillisecond(),
    value: big(1_700_000_000_000n, 500n),
    tolerances: stamps,
  },
  {
    left: new arrow.TimestampSecond(),
    right: new arrow.TimestampSecond(),
    value: big(1_700_000_000n),
    tolerances: stamps,
  },
  {
    left: new arrow.TimestampNanosecond("UTC"),
    right: new arrow.TimestampNanosecond("UTC"),
    value: big(1_700_000_000_000_000_000n, 1n),
    tolerances: [...stamps, "7ns"],
  },
  {
    left: new arrow.TimeSecond(),
    right: new arrow.TimeSecond(),
    value: few,
    tolerances: stamps,
  },
  {
    left: new arrow.TimeMicrosecond(),
    right: new arrow.TimeMicrosecond(),
    value: big(0n, 500_000n),
    tolerances: [...stamps, "500ms"],
  },
  {
    left: new arrow.DurationMillisecond(),
    right: new arrow.DurationMillisecond(),
    value: big(-10_000n, 1000n),
    tolerances: stamps,
  },
];

/** A group of rows by one column. */
interface GroupKind {
  readonly left: arrow.DataType;
  readonly right: arrow.DataType;
  readonly values: readonly unknown[];
}

const category = (id: number) => new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32(), id);

/** Columns of groups: text, numbers, and what needs more than the bytes of a value. */
export const groupKinds: readonly GroupKind[] = [
  {
    left: new arrow.Utf8(),
    right: new arrow.LargeUtf8(),
    values: ["Zoë", "Ouagadougou-Nord", "", "a", "a\0"],
  },
  { left: category(1), right: new arrow.Utf8View(), values: ["AAPL", "longer than twelve bytes"] },
  { left: new arrow.Int16(), right: new arrow.Uint32(), values: [0, 1, 2] },
  { left: new arrow.Float64(), right: new arrow.Float32(), values: [0, -0, 1.5, NaN, Infinity] },
  { left: new arrow.Bool(), right: new arrow.Bool(), values: [true, false] },
];

/** What makes values of a group equal. */
function groupKey(values: readonly unknown[]): string | null {
  if (values.includes(null)) return null;
  return JSON.stringify(
    values.map((value) => typeof value === "number" ? String(value + 0) : value),
  );
}

/** One side: its rows, and the same as batches. */
interface AsOfSide {
  readonly times: readonly (ModelTime | null)[];
  /** The values of the columns of groups, a list a row. */
  readonly groups: readonly (readonly unknown[])[];
  /** The group of each row; null where a value is null. */
  readonly keys: readonly (string | null)[];
  readonly batches: readonly arrow.RecordBatch[];
}

/** What a side is made of. */
interface SideRequest {
  /** Begins the names of the columns: `l_row`, `l_text`. */
  readonly prefix: string;
  readonly timeName: string;
  readonly timeType: arrow.DataType;
  readonly value: (random: SeededRandom) => ModelTime;
  readonly groups: readonly {
    readonly type: arrow.DataType;
    readonly values: readonly unknown[];
  }[];
  /** Whether the times are sorted within their groups. Default: true. */
  readonly isSorted?: boolean;
}

const TEXTS = ["", "é", "€uro zone", "𝄞 clef", "longer than twelve bytes", null];

/**
 * A side, sorted within its groups only if it has any. Columns: the time, `g0`, `g1`…, the number of
 * the row, and a text.
 */
export function randomSide(random: SeededRandom, request: SideRequest): AsOfSide {
  const { prefix, timeName, timeType, value, groups, isSorted = true } = request;
  const numRows = random.pick([0, 1, 7, 40]);
  const nulls = random.pick([0, 0.2]);
  const rows = Array.from({ length: numRows }, () => ({
    time: random.chance(nulls) ? null : rawTime(timeType, value(random)),
    groups: groups.map(({ values }) => random.chance(nulls / 2) ? null : random.pick(values)),
  }));
  const keyed = rows.map((row) => ({ ...row, key: groupKey(row.groups) }));
  const times = isSorted ? sortedWithin(keyed) : rows.map(({ time }) => time);
  const columns: [string, arrow.DataType, readonly unknown[]][] = [
    [timeName, timeType, times],
    ...groups.map(({ type }, index): [string, arrow.DataType, unknown[]] => [
      `g${index}`,
      type,
      rows.map((row) => row.groups[index]),
    ]),
    [`${prefix}_row`, new arrow.Int32(), rows.map((_, row) => row)],
    [`${prefix}_text`, new arrow.Utf8(), rows.map((_, row) => TEXTS[row % TEXTS.length])],
  ];
  return {
    times,
    groups: rows.map((row) => row.groups),
    keys: rows.map((row) => groupKey(row.groups)),
    batches: batchesOf(random, columns),
  };
}

/** A value as columns of the type hold it. */
function rawTime(type: arrow.DataType, value: ModelTime): ModelTime {
  return [BigInt64Array, BigUint64Array].includes(type.ArrayType) ? BigInt(value) : value;
}

/** The times, put in order within each group; nulls stay where they are. */
export function sortedWithin(
  rows: readonly { readonly time: ModelTime | null; readonly key: string | null }[],
): (ModelTime | null)[] {
  const sorted = new Map<string | null, ModelTime[]>();
  for (const { time, key } of rows) {
    if (time !== null) sorted.set(key, [...sorted.get(key) ?? [], time]);
  }
  for (const times of sorted.values()) times.sort(compareTimes).reverse();
  return rows.map(({ time, key }) => time === null ? null : sorted.get(key)!.pop()!);
}

/** Columns cut into batches, at least one, each column at a place of its own in its memory. */
export function batchesOf(
  random: SeededRandom,
  columns: readonly (readonly [string, arrow.DataType, readonly unknown[]])[],
): arrow.RecordBatch[] {
  const numRows = columns[0]![2].length;
  const cuts = Array.from({ length: random.below(5) }, () => random.below(numRows + 1));
  const bounds = [0, ...cuts.sort((left, right) => left - right), numRows];
  return bounds.slice(1).map((stop, index) => {
    const values = columns.map(([, type, all]) =>
      columnOfValues(random, type, all.slice(bounds[index], stop))
    );
    const fields = columns.map(([name], column) =>
      new arrow.Field(name, values[column]!.type, true)
    );
    return batchOfColumns(fields, values);
  });
}
