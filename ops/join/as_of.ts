/**
 * As-of joins: each row of a stream meets the row of the build side that is next to it in time.
 *
 * @module
 */

import { DataType, Schema } from "apache-arrow";
import type { AsOfDirection } from "../../gpu/column/as_of/match_times.ts";
import type { BatchStream } from "../../streams/batch_stream.ts";
import type { Operator } from "../../streams/operator.ts";
import { typeName } from "../batch/arrow_types.ts";
import { operatorOf } from "../engine/operator_of.ts";
import { type Names, type NodeKind, nodeOf, type Stage } from "../engine/node.ts";
import { checkNames, columnIndex } from "../rows/column_names.ts";
import { joinAsOf } from "./as_of/run.ts";
import { bindTolerance, isWide, parseTolerance, type TolerancePlan } from "./as_of/tolerance.ts";
import type { BoundAsOf, SideColumns } from "./as_of/bound.ts";
import { BuildSide } from "./build_side.ts";
import { checkKind, refuseOthers } from "./check_options.ts";
import {
  buildColumns,
  type BuildColumnsOptions,
  defaultSuffix,
  type JoinColumns,
  joinColumns,
  neededOnLeft,
  type OutputColumn,
  takenColumns,
} from "./join_columns.ts";
import { keyPairs } from "./join_keys.ts";
import { promoteKeys } from "./promote_keys.ts";

/** How each row of a stream is joined with the row of the build side that is next to it in time. */
export interface AsOfOptions extends BuildColumnsOptions {
  /**
   * The time, by which both sides are sorted: its name on both, or `{ left: "right" }`. Integers,
   * floats, timestamps, dates, times of day and durations, of types that have one in common.
   */
  readonly asOf: string | Readonly<Record<string, string>>;
  /**
   * Columns that must be equal, by name: one name, a list of names and pairs `[left, right]`, or
   * `{ left: "right" }`. Then both sides need only be sorted within each group of equal ones.
   */
  readonly by?:
    | string
    | readonly (string | readonly [left: string, right: string])[]
    | Readonly<Record<string, string>>;
  /**
   * `backward`: the last row that is not after that of the stream; `forward`: the first that is not
   * before it; `nearest`: the one that is nearer, of two as far the earlier. Of rows with one time
   * `backward` and `nearest` take the last, `forward` the first. Default: "backward".
   */
  readonly direction?: AsOfDirection;
  /**
   * How far apart the two times may be at most: a number in the unit of the column, with a fraction for
   * floats only, or a duration such as "2s", "500ms" or "1d" for timestamps, dates, times and
   * durations. 0 means equal times. Default: any distance.
   */
  readonly tolerance?: number | bigint | string;
  /** `left` keeps all rows of the stream, `inner` those with a match. Default: "left". */
  readonly how?: "left" | "inner";
  /** Whether the time and the `by` columns of the build side come out too. Default: false. */
  readonly keepKeys?: boolean;
}

/** The name of a column on each side. */
interface NamePair {
  readonly left: string;
  readonly right: string;
}

/** What an as-of join was given, checked. */
interface AsOfSpec {
  readonly build: BuildSide;
  readonly time: NamePair;
  readonly by: readonly NamePair[];
  readonly direction: AsOfDirection;
  readonly tolerance: TolerancePlan | null;
  readonly how: "left" | "inner";
  readonly suffix: string;
  readonly keepKeys: boolean;
  /** The columns that are taken of the build side; absent: all. */
  readonly columns: readonly string[] | undefined;
  /** The columns of the result that the steps after it need. Absent: all of them. */
  readonly wanted?: Names;
}

/** The as-of join of a stream with a build side, as `join` documents it. */
export function asOfJoin(build: BatchStream, options: AsOfOptions): Operator {
  const spec = asOfSpec(options);
  return operatorOf(nodeOf(asOfKind, { ...spec, build: new BuildSide(build) }), options);
}

const DIRECTIONS: readonly unknown[] = ["backward", "forward", "nearest"];

/** The options, checked: a TypeError for what is no such option, a RangeError for a wrong tolerance. */
function asOfSpec(options: AsOfOptions): Omit<AsOfSpec, "build"> {
  const { direction = "backward", how = "left", tolerance, by = [] } = options;
  const { suffix = defaultSuffix, keepKeys = false } = options;
  refuseOthers("An as-of join", options);
  const [time, ...more] = namePairs("asOf", options.asOf);
  if (time === undefined || more.length > 0) {
    throw new TypeError(`An as-of join has one time, not ${more.length + (time ? 1 : 0)}`);
  }
  if (!DIRECTIONS.includes(direction)) {
    throw new TypeError(
      `The direction of an as-of join is "backward", "forward" or "nearest", not ${
        JSON.stringify(direction)
      }`,
    );
  }
  if (how !== "left" && how !== "inner") {
    throw new TypeError(`An as-of join is "left" or "inner", not ${JSON.stringify(how)}`);
  }
  checkKind("suffix", suffix, "string");
  checkKind("keepKeys", keepKeys, "boolean");
  const { columns } = options;
  if (columns !== undefined) checkNames("The option columns of a join", columns);
  return {
    time,
    by: namePairs("by", by),
    direction,
    tolerance: tolerance === undefined ? null : parseTolerance(tolerance),
    how,
    suffix,
    keepKeys,
    columns,
  };
}

function namePairs(option: string, given: unknown): readonly NamePair[] {
  return keyPairs(option, given).map(({ left, right }) => {
    if (typeof left === "string" && typeof right === "string") return { left, right };
    throw new TypeError(`The option ${option} of an as-of join takes names of columns`);
  });
}

const asOfKind: NodeKind<AsOfSpec> = {
  name: "join",
  rows: "mostly same",
  boundaries: "ignored",
  summary: ({ how, time, by, direction, tolerance }) =>
    [
      `${how}, ${direction} as of ${printPair(time)}`,
      ...(by.length === 0 ? [] : [`by ${by.map(printPair).join(", ")}`]),
      ...(tolerance === null ? [] : [`within ${tolerance.text}`]),
    ].join(", "),
  needs: ({ time, by, suffix }, wanted) =>
    neededOnLeft(suffix, [time.left, ...by.map(({ left }) => left)], wanted),
  bind: bindAsOf,
  abandon: ({ build }, reason) => build.cancel(reason),
  rewrites: {
    onWanted: ({ spec }, wanted) => nodeOf(asOfKind, { ...spec, wanted }),
  },
};

function printPair({ left, right }: NamePair): string {
  return left === right ? left : `${left}=${right}`;
}

async function bindAsOf(spec: AsOfSpec, left: Schema): Promise<Stage> {
  const { build, time, by, direction, tolerance, how } = spec;
  const right = await build.schema();
  const pairs = [time, ...by];
  const leftPlaces = pairs.map((pair) => columnIndex(left, pair.left));
  const rightPlaces = pairs.map((pair) => columnIndex(right, pair.right));
  const types = pairs.map((pair, index) => ({
    left: { text: pair.left, type: left.fields[leftPlaces[index]!]!.type },
    right: { text: pair.right, type: right.fields[rightPlaces[index]!]!.type },
  }));
  checkTime(types[0]!.left);
  checkTime(types[0]!.right);
  const promoted = promoteKeys(types);
  const timeType = promoted.types[0]!;
  const columns = outputsOf(spec, left, right, rightPlaces);
  const places = [...new Set([...rightPlaces, ...columns.payload])];
  const bound: BoundAsOf = {
    build,
    how,
    rule: {
      direction,
      tolerance: tolerance === null ? null : bindTolerance(tolerance, timeType, time.left),
    },
    form: isWide(timeType) ? "wide" : "float",
    parts: promoted.parts.slice(1),
    probe: sideOf("probe side", left, leftPlaces),
    built: sideOf("build side", right, rightPlaces, places),
    read: new Schema(places.map((place) => right.fields[place]!), right.metadata),
    columns,
    payload: columns.payload.map((place) => places.indexOf(place)),
  };
  const lines = types.map(({ left, right }, index) =>
    `${index === 0 ? "time" : "by"}: ${typeName(left.type)} with ${typeName(right.type)}, as ${
      typeName(promoted.types[index]!)
    }`
  );
  lines.push(
    by.length === 0
      ? "build side: read along with the stream, a batch at a time"
      : "build side: held by group, in files where it exceeds memory",
  );
  const { unwanted } = columns;
  if (unwanted.length > 0) lines.push(`left out: ${unwanted.join(", ")}`);
  return {
    schema: columns.schema,
    explain: () => [build.line, ...lines],
    run: (input, context) => joinAsOf(bound, input, context),
  };
}

/** Throws a TypeError for a column that has no order in time. */
function checkTime({ text, type }: { readonly text: string; readonly type: DataType }): void {
  const isTime = [
    DataType.isInt,
    DataType.isFloat,
    DataType.isTimestamp,
    DataType.isDate,
    DataType.isTime,
    DataType.isDuration,
  ].some((is) => is(type));
  if (isTime) return;
  throw new TypeError(
    `Cannot join as of ${text}: a time is a number, timestamp, date, time or duration, not ${
      typeName(type)
    }`,
  );
}

function sideOf(
  side: SideColumns["side"],
  { fields }: Schema,
  [time, ...by]: readonly number[],
  read: readonly number[] = fields.map((_, place) => place),
): SideColumns {
  const { name, type } = fields[time!]!;
  return {
    side,
    time: read.indexOf(time!),
    timeName: name,
    timeType: type,
    by: by.map((place) => read.indexOf(place)),
    byNames: by.map((place) => fields[place]!.name),
  };
}

function outputsOf(
  { how, suffix, keepKeys, columns, wanted }: AsOfSpec,
  left: Schema,
  right: Schema,
  rightPlaces: readonly number[],
): JoinColumns {
  const probed = left.fields.map((field, place): OutputColumn => ({ field, left: place }));
  const places = takenColumns(right, columns)
    .filter((place) => keepKeys || !rightPlaces.includes(place));
  const added = buildColumns(probed, right, places, { suffix, mayMiss: how === "left" });
  return joinColumns([...probed, ...added], wanted, left.metadata);
}
