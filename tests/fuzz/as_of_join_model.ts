/** The model of as-of joins: finds the match of each row by a search through all rows. */

import { DataType } from "apache-arrow";
import {
  compareTimes,
  modelMatch,
  type ModelRule,
  type ModelTime,
} from "../support/models/as_of_model.ts";
import { type ModelColumn, ModelTypeError, TooLarge } from "../support/models/expr_model_types.ts";
import { type AsOfStep, namePairs } from "./fuzz_case.ts";
import { bothSides, keyText, MOST_ROWS, promotedType } from "./join_model.ts";
import type { ModelTable } from "./model_table.ts";
import type { RowPair } from "../support/models/join_pairs.ts";

/** The stream is not sorted by the time of an as-of join. */
export class ModelOrderError extends Error {}

/** The times and groups of the rows of a side. */
interface Side {
  readonly times: readonly (ModelTime | null)[];
  /** Null for a group that meets nothing. */
  readonly groups: readonly (string | null)[];
}

/** The rows that an as-of join gives and their columns. */
export function modelAsOf(left: ModelTable, right: ModelTable, step: AsOfStep): ModelTable {
  const names = [...namePairs(step.asOf), ...namePairs(step.by ?? [])];
  const lefts = names.map(([name]) => columnOf(left, name));
  const rights = names.map(([, name]) => columnOf(right, name));
  const types = lefts.map(({ type }, index) => promotedType(type, rights[index]!.type, false));
  const rule: ModelRule = {
    direction: step.direction ?? "backward",
    tolerance: step.tolerance === undefined ? null : toleranceIn(types[0]!, step.tolerance),
  };
  const [probe, build] = [sideOf(lefts, left.numRows), sideOf(rights, right.numRows)];
  if (Math.max(left.numRows, right.numRows) > MOST_ROWS) throw new TooLarge("rows");
  // How far a build side is read, and so checked, depends on the stream.
  if (!isSorted(build)) throw new TooLarge("an unsorted build side");
  const isInOrder = isSorted(probe);
  const pairs = isInOrder ? matchedPairs(probe, build, rule, step.how === "inner") : [];
  // Names that clash are refused before a row is read.
  const joined = bothSides(left, right, pairs, step.suffix, step.keepKeys ? [] : rights);
  if (!isInOrder) throw new ModelOrderError(`${names[0]![0]} is not sorted`);
  return joined;
}

/** Whether a column of the type can be the time of an as-of join. */
export function isTime(type: DataType): boolean {
  return DataType.isInt(type) || DataType.isFloat(type) || DataType.isTimestamp(type) ||
    DataType.isDate(type) || DataType.isTime(type) || DataType.isDuration(type);
}

/** Whether the times of columns are sorted within each group: the time, and what the groups are by. */
export function isSortedBy(columns: readonly ModelColumn[], numRows: number): boolean {
  return isSorted(sideOf(columns, numRows));
}

function columnOf({ columns }: ModelTable, name: string): ModelColumn {
  const column = columns.find((column) => column.name === name);
  if (column === undefined) throw new TooLarge(`no column ${name}`);
  return column;
}

function sideOf([time, ...by]: readonly ModelColumn[], numRows: number): Side {
  if (!isTime(time!.type)) throw new ModelTypeError("a time");
  const rows = Array.from({ length: numRows }, (_, row) => row);
  return {
    times: time!.values as (ModelTime | null)[],
    groups: rows.map((row) => keyText(by.map(({ values }) => values[row]), {})),
  };
}

function isSorted({ times, groups }: Side): boolean {
  const last = new Map<string, ModelTime>();
  return times.every((time, row) => {
    const group = groups[row];
    if (time === null || group == null) return true;
    const before = last.get(group);
    last.set(group, time);
    return before === undefined || compareTimes(before, time) <= 0;
  });
}

function matchedPairs(probe: Side, build: Side, rule: ModelRule, isInner: boolean): RowPair[] {
  const rowsOf = Map.groupBy(build.groups.keys(), (row) => build.groups[row]);
  return probe.times.flatMap((time, row): RowPair[] => {
    const group = probe.groups[row];
    const rows = group == null ? [] : rowsOf.get(group) ?? [];
    const place = modelMatch(rule, time, rows.map((other) => build.times[other]!));
    if (place < 0) return isInner ? [] : [[row, null]];
    return [[row, rows[place]!]];
  });
}

const NANOSECONDS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
  d: 86_400_000_000_000n,
};

/** A tolerance as a time of the type; only such durations are known as fit its unit. */
function toleranceIn(type: DataType, tolerance: number | string): ModelTime {
  if (DataType.isFloat(type)) return Number(tolerance);
  const [, count = "", unit] = /^(\d+)([a-z]*)$/.exec(String(tolerance)) ?? [];
  if (count === "") throw new TooLarge(`a tolerance of ${tolerance}`);
  if (unit === "") return BigInt(count);
  const own = unitOf(type);
  const parts = BigInt(count) * NANOSECONDS[unit!]!;
  if (own === undefined || parts % NANOSECONDS[own]! !== 0n) throw new TooLarge("a unit");
  return parts / NANOSECONDS[own]!;
}

/** The unit that a type counts in; undefined for numbers. */
export function unitOf(type: DataType): string | undefined {
  if (DataType.isDate(type)) return type.unit === 0 ? "d" : "ms";
  const isTimed = DataType.isTimestamp(type) || DataType.isTime(type) || DataType.isDuration(type);
  return isTimed ? ["s", "ms", "us", "ns"][type.unit] : undefined;
}
