/**
 * As-of joins: each row of a stream meets the row of the build side that is next to it in time.
 *
 * @module
 */

import { DataType, Schema } from "apache-arrow";
import type { AsOfDirection } from "../../../gpu/order/as_of/match_times.ts";
import type { BatchStream } from "../../../streams/plan/batch_stream.ts";
import type { Operator } from "../../../streams/plan/operator.ts";
import { isText, typeName } from "../../batch/arrow_types.ts";
import { operatorOf } from "../../engine/operator_of.ts";
import {
  type BindContext,
  type Names,
  type NodeKind,
  nodeOf,
  type Stage,
} from "../../engine/node.ts";
import { checkNames } from "../../rows/column_names.ts";
import { joinAsOf } from "./run.ts";
import { bindTolerance, isWide, parseTolerance, type TolerancePlan } from "./tolerance.ts";
import type { BoundAsOf, SideColumns } from "./bound.ts";
import { BuildSide } from "../shared/build_side.ts";
import { checkKind, refuseOthers } from "../shared/options.ts";
import {
  buildColumns,
  type BuildColumnsOptions,
  defaultSuffix,
  type JoinColumns,
  joinColumns,
  neededOnLeft,
  type OutputColumn,
  takenColumns,
} from "../shared/columns.ts";
import {
  bindKeys,
  columnsOfKeys,
  computeKeys,
  type JoinKeyPair,
  type JoinKeys,
  type KeyColumns,
  keyPairs,
  printKey,
  printPair,
} from "../shared/keys.ts";
import { promoteKeys } from "../shared/promote_keys.ts";

/** How each row of a stream is joined with the row of the build side that is next to it in time. */
export interface AsOfOptions extends BuildColumnsOptions {
  /**
   * The time, by which both sides are sorted: its name on both, `{ left: "right" }`, or
   * `[[left, right]]`, each a name or an expression. Integers, floats, timestamps, dates, times of day
   * and durations, of types that have one in common.
   */
  readonly asOf: JoinKeys;
  /**
   * What must be equal as well, as keys of other joins are given. Then both sides need only be sorted
   * within each group of equal ones.
   */
  readonly by?: JoinKeys;
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

/** What an as-of join was given, checked. */
interface AsOfSpec {
  readonly build: BuildSide;
  readonly time: JoinKeyPair;
  readonly by: readonly JoinKeyPair[];
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
  const [time, ...more] = keyPairs("asOf", options.asOf);
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
    by: keyPairs("by", by),
    direction,
    tolerance: tolerance === undefined ? null : parseTolerance(tolerance),
    how,
    suffix,
    keepKeys,
    columns,
  };
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
    neededOnLeft(suffix, columnsOfKeys([time, ...by].map(({ left }) => left)), wanted),
  bind: bindAsOf,
  abandon: ({ build }, reason) => build.cancel(reason),
  rewrites: {
    onWanted: ({ spec }, wanted) => nodeOf(asOfKind, { ...spec, wanted }),
  },
};

async function bindAsOf(spec: AsOfSpec, left: Schema, context: BindContext): Promise<Stage> {
  const { build, time, by, direction, tolerance, how } = spec;
  const right = await build.schema();
  const pairs = [time, ...by];
  const leftKeys = bindKeys(pairs.map(({ left }) => left), left);
  const rightKeys = bindKeys(pairs.map(({ right }) => right), right);
  const types = pairs.map((pair, index) => ({
    left: { text: printKey(pair.left), type: leftKeys.types[index]! },
    right: { text: printKey(pair.right), type: rightKeys.types[index]! },
  }));
  checkTime(types[0]!.left);
  checkTime(types[0]!.right);
  const promoted = promoteKeys(types);
  const timeType = promoted.types[0]!;
  const columns = outputsOf(spec, left, right, rightKeys);
  const places = [...new Set([...rightKeys.places, ...columns.payload])];
  const computed = await computeKeys(leftKeys, left, context);
  const bound: BoundAsOf = {
    build,
    how,
    rule: {
      direction,
      tolerance: tolerance === null
        ? null
        : bindTolerance(tolerance, timeType, types[0]!.left.text),
    },
    form: isWide(timeType) ? "wide" : "float",
    parts: promoted.parts.slice(1),
    probe: sideOf("stream", leftKeys),
    built: sideOf("build side", rightKeys, places),
    computed: rightKeys.computed,
    read: new Schema(places.map((place) => rightKeys.schema.fields[place]!), right.metadata),
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
    explain: () => [build.line, ...lines, ...computed?.explain?.() ?? []],
    ...(computed?.compiled === undefined ? {} : { compiled: computed.compiled }),
    run: (input, context) => joinAsOf(bound, computed?.run(input, context) ?? input, context),
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
  const hint = isText(type) ? `; cast it, such as cast(${text}, "timestamp[ms]")` : "";
  throw new TypeError(
    `Cannot join as of ${text}: a time is a number, timestamp, date, time or duration, not ${
      typeName(type)
    }${hint}`,
  );
}

function sideOf(
  side: SideColumns["side"],
  { schema: { fields }, places: [time, ...by] }: KeyColumns,
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

/** Times and groups of the build side that are columns on both sides come out under the left name only. */
function outputsOf(
  { time, by, how, suffix, keepKeys, columns, wanted }: AsOfSpec,
  left: Schema,
  right: Schema,
  rightKeys: KeyColumns,
): JoinColumns {
  const probed = left.fields.map((field, place): OutputColumn => ({ field, left: place }));
  const merged = new Set(
    [time, ...by].flatMap(({ left, right }, pair) =>
      !keepKeys && typeof left === "string" && typeof right === "string"
        ? [rightKeys.places[pair]!]
        : []
    ),
  );
  const places = takenColumns(right, columns).filter((place) => !merged.has(place));
  const added = buildColumns(probed, right, places, { suffix, mayMiss: how === "left" });
  return joinColumns([...probed, ...added], wanted, left.metadata);
}
