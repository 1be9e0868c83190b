/** Random as-of joins as steps of a pipeline, and tables that are sorted by a time. */

import { DataType } from "apache-arrow";
import { sortedWithin } from "../support/joins/as_of_tables.ts";
import type { ModelTime } from "../support/models/as_of_model.ts";
import type { ModelColumn } from "../support/models/expr_model_types.ts";
import type { SeededRandom } from "../support/random/seeded_random.ts";
import { isSortedBy, isTime, unitOf } from "./as_of_join_model.ts";
import { jsonOf, type TypeJson, typeOf } from "./case_types.ts";
import type { AsOfStep, CaseColumn, CaseNames, CaseStep, CaseTable } from "./fuzz_case.ts";
import { keysOfType, partnerTypes, sameKey } from "./join_keys.ts";
import { keyText } from "./join_model.ts";
import type { ModelTable } from "./model_table.ts";
import { partnerOf } from "./random_join.ts";
import { inBatches, randomTable } from "./random_table.ts";

const UNITS = ["s", "ms", "us", "ns"];
/** Types of times of a stream. */
const TIME_TYPES: readonly TypeJson[] = [
  ...["int8", "int16", "int32", "int32", "int64", "int64", "uint32", "uint64"],
  ...["float16", "float32", "float64", "float64", "date32", "date64"],
  ...UNITS.flatMap((unit): TypeJson[] => [
    ["timestamp", unit],
    ["timestamp", unit, "UTC"],
    ["time", unit],
    ["duration", unit],
  ]),
];

/** The table with a time in place of one column: sorted, or within groups that another column makes. */
export function sortedTable(random: SeededRandom, { columns, batches }: CaseTable): CaseTable {
  const changed = columns.toSorted(() => random.next() - 0.5);
  const [time, group] = changed as [CaseColumn, CaseColumn];
  const numRows = time.values.length;
  const isGrouped = random.chance(0.5) && partnerTypes(typeOf(group.type)).length > 0;
  if (isGrouped) changed[1] = { ...group, values: fewOf(random, group.values) };
  const type = random.pick(TIME_TYPES);
  const value = timesNear(random, type, keysOfType(random, type)());
  const nullShare = random.pick([0, 0, 0.1, 0.4]);
  const times = Array.from({ length: numRows }, () => random.chance(nullShare) ? null : value());
  changed[0] = {
    name: time.name,
    type,
    values: sortedTimes(times, isGrouped ? [changed[1]!] : []),
  };
  const sizes = batches.map(({ rows }) => rows);
  return inBatches(random, changed.toSorted(() => random.next() - 0.5), sizes);
}

/** Values of which there are at most three. */
function fewOf(random: SeededRandom, values: readonly unknown[]): unknown[] {
  const some = [0, 1, 2].map(() => random.pick(values));
  return values.map(() => random.pick(some));
}

/** Times that lie near one of the type: the same ones come often. */
function timesNear(random: SeededRandom, type: TypeJson, near: unknown): () => ModelTime {
  const any = keysOfType(random, type);
  const range = random.pick([1, 4, 30, 1000]);
  const share = random.pick([0.8, 1, 1]);
  return () => {
    const moved = random.chance(share)
      ? movedTime(near, random.below(range) - (range >> 1), type)
      : undefined;
    return (moved ?? any()) as ModelTime;
  };
}

/** A time so many units later, or halves of one where it is a float; undefined where there is none. */
function movedTime(time: unknown, units: number, json: TypeJson): unknown {
  const type = typeOf(json);
  if (typeof time === "bigint") {
    const moved = time + BigInt(units);
    const isSigned = !DataType.isInt(type) || type.isSigned;
    const held = isSigned ? BigInt.asIntN(64, moved) : BigInt.asUintN(64, moved);
    return held === moved ? moved : undefined;
  }
  if (DataType.isFloat(type)) return sameKey(Number(time) + units / 2, json);
  const moved = Number(time) + units;
  return moved === (moved | 0) || DataType.isInt(type) ? sameKey(moved, json) : undefined;
}

/** The times sorted within each group; nulls stay where they are. */
function sortedTimes(
  times: readonly (ModelTime | null)[],
  by: readonly { readonly values: readonly unknown[] }[],
): (ModelTime | null)[] {
  return sortedWithin(times.map((time, row) => ({
    time,
    key: keyText(by.map(({ values }) => values[row]), { nullsEqual: true }),
  })));
}

/** An as-of join with a table; undefined where the stream is sorted by no time. */
export function asOfRows(random: SeededRandom, table: ModelTable): CaseStep[] | undefined {
  return asOfJoin(random, table, true);
}

/** An as-of join of a stream that is not sorted; undefined where it is. */
export function unsortedRows(random: SeededRandom, table: ModelTable): CaseStep[] | undefined {
  return asOfJoin(random, table, false);
}

function asOfJoin(
  random: SeededRandom,
  table: ModelTable,
  isSorted: boolean,
): CaseStep[] | undefined {
  if (table.isUnordered) return undefined;
  // A row or none is sorted by everything, and shows little.
  if (table.numRows < 2 && random.chance(0.8)) return undefined;
  const plain = randomTable(random, random.pick([1, 1, 2, 4]), random.pick(["", "", "r_"]));
  const drawn = drawTimes(random, table, isSorted, plain.columns.length);
  if (drawn === undefined) return undefined;
  const [time, ...by] = drawn as [ModelColumn, ...ModelColumn[]];
  const rest = plain.columns.slice(drawn.length, drawn.length + random.below(3));
  const groups = by.map((column, index) =>
    partnerOf(random, column, plain.columns[index + 1]!, false)
  );
  const at = timeOf(random, time, plain.columns[0]!, random.chance(0.6) ? groups : []);
  const columns = [at, ...groups, ...rest].sort(() => random.next() - 0.5);
  const suffix = random.pick([undefined, undefined, "_2"]);
  const pairs = by.map(({ name }, index) => [name, groups[index]!.name] as const);
  const step: AsOfStep = {
    do: "joinAsOf",
    table: inBatches(random, columns, plain.batches.map(({ rows }) => rows)),
    asOf: time.name === at.name ? time.name : { [time.name]: at.name },
    ...(by.length === 0 ? {} : { by: formOf(random, pairs) }),
    ...(random.chance(0.8)
      ? { direction: random.pick(["backward", "forward", "nearest"] as const) }
      : {}),
    ...(random.chance(0.5) ? { tolerance: toleranceOf(random, time.type) } : {}),
    ...(random.chance(0.5) ? { how: random.pick(["left", "inner"] as const) } : {}),
    ...(suffix === undefined ? {} : { suffix }),
    ...(random.chance(0.2) ? { keepKeys: true } : {}),
  };
  return [step];
}

/** A time and at most two columns of groups by which the stream is sorted, or not; undefined for none. */
function drawTimes(
  random: SeededRandom,
  { columns, numRows }: ModelTable,
  isSorted: boolean,
  most: number,
): readonly ModelColumn[] | undefined {
  const times = columns.filter(({ type }) => isTime(type));
  const groups = columns.filter(({ type }) => partnerTypes(type).length > 0);
  if (times.length === 0) return undefined;
  const found = times.flatMap((time) => {
    const others = groups.filter((column) => column !== time);
    const sets = [[], ...others.map((column) => [column]), others.slice(0, 2), others.slice(-2)];
    return sets.map((by) => [time, ...by].slice(0, most))
      .filter((drawn) => isSortedBy(drawn, numRows) === isSorted);
  });
  // Numbers are in every table, and dates and the like in few.
  const timed = found.filter(([time]) => unitOf(time!.type) !== undefined);
  const drawn = timed.length > 0 && random.chance(0.6) ? timed : found;
  return drawn.length === 0 ? undefined : random.pick(drawn);
}

/** A time of the build side near those of the stream, sorted within groups. */
function timeOf(
  random: SeededRandom,
  { type, values }: ModelColumn,
  { name, values: { length } }: CaseColumn,
  groups: readonly CaseColumn[],
): CaseColumn {
  const partner = random.pick([jsonOf(type), random.pick(partnerTypes(type))]);
  const own = keysOfType(random, partner);
  // Times that are never the same are matched on one side, and ties there tell rows apart.
  const moves = random.pick([[0, 0, 0, 1, -1, 2, -3, 10], [0], [1], [1, 2], [-2], [1, -1]]);
  const known = values.filter((value) => value !== null);
  const nullShare = random.pick([0, 0, 0.2]);
  const times = Array.from({ length }, () => {
    if (random.chance(nullShare)) return null;
    const shared = known.length > 0 && random.chance(0.85)
      ? sameKey(random.pick(known), partner)
      : undefined;
    const moved = shared === undefined ? undefined : movedTime(shared, random.pick(moves), partner);
    return (moved ?? own()) as ModelTime;
  });
  return { name, type: partner, values: sortedTimes(times, groups) };
}

/** Pairs of names in one of the forms that `by` takes. */
function formOf(
  random: SeededRandom,
  pairs: readonly (readonly [left: string, right: string])[],
): CaseNames {
  const [first] = pairs;
  if (pairs.length === 1 && first![0] === first![1] && random.chance(0.5)) return first![0];
  return random.chance(0.5) ? Object.fromEntries(pairs) : pairs;
}

/** A tolerance that fits a type. */
function toleranceOf(random: SeededRandom, type: DataType): number | string {
  if (DataType.isFloat(type)) return random.pick([0, 0.5, 1, 3, 1e300]);
  const unit = unitOf(type);
  return unit !== undefined && random.chance(0.7)
    ? random.pick([`0${unit}`, `2${unit}`, "2d", "48h"])
    : random.pick([0, 1, 2, 10, "9007199254740993"]);
}
