/**
 * As-of joins: each row of a stream meets the row of the build side that is next to it in time.
 *
 * @module
 */

import { DataType, type Schema } from "apache-arrow";
import type { AsOfDirection } from "../../../gpu/order/as_of/match_times.ts";
import type { BatchStream } from "../../../streams/plan/batch_stream.ts";
import type { Operator } from "../../../streams/plan/operator.ts";
import { isText, typeName } from "../../batch/arrow_types.ts";
import type { CheckContext, Checked, NodeKind, Stage } from "../../engine/node.ts";
import { columnsOfKeys, computeKeys, type KeyColumns, printKey } from "../../rows/keys.ts";
import { columnsRead } from "../shared/build_side.ts";
import {
  buildColumns,
  type BuildColumnsOptions,
  type JoinColumns,
  joinColumns,
  neededOnLeft,
  type OutputColumn,
  takenColumns,
} from "../shared/columns.ts";
import {
  bindKeyPairs,
  type JoinKeyPair,
  type JoinKeys,
  keyPairs,
  printPair,
} from "../shared/keys.ts";
import { joinKind, joinOperator, type JoinSpec } from "../shared/operator.ts";
import { checkChoice } from "../../../base/option_kinds.ts";
import { checkKind, checkShared } from "../shared/options.ts";
import type { KeySide } from "../shared/promote_keys.ts";
import type { BoundAsOf, SideColumns } from "./bound.ts";
import { joinAsOf } from "./run.ts";
import { bindTolerance, isWide, parseTolerance, type TolerancePlan } from "./tolerance.ts";

/** The options of an as-of join: each row of a stream with the row of the build side next to it in time. */
export interface AsOfOptions extends BuildColumnsOptions {
  /**
   * The time, by which both sides are sorted: its name on both, `{ left: "right" }`, or
   * `[[left, right]]`, each a name or an expression. Times are integers, floats, timestamps, dates, times
   * of day or durations, of types with a common type.
   */
  readonly asOf: JoinKeys;
  /**
   * Keys that must be equal too, written as those of other joins. Then both sides need only be sorted
   * within each group of equal keys.
   */
  readonly by?: JoinKeys;
  /**
   * `backward`: the last row that is not later than that of the stream; `forward`: the first that is not
   * earlier; `nearest`: the nearer of the two, or the earlier if both are as far. Of rows with the same
   * time `backward` and `nearest` take the last, `forward` the first. Default: "backward".
   */
  readonly direction?: AsOfDirection;
  /**
   * The greatest distance of the two times: a number in the unit of the column, with a fraction for
   * floats only, or a duration such as "2s", "500ms" or "1d" for timestamps, dates, times and durations.
   * 0 demands equal times. Default: any distance.
   */
  readonly tolerance?: number | bigint | string;
  /** `left` keeps all rows of the stream, `inner` those with a match. Default: "left". */
  readonly how?: "left" | "inner";
  /** Whether the time and the `by` columns of the build side come out too. Default: false. */
  readonly keepKeys?: boolean;
}

/** The checked arguments of an as-of join. */
interface AsOfSpec extends JoinSpec {
  readonly time: JoinKeyPair;
  readonly by: readonly JoinKeyPair[];
  readonly direction: AsOfDirection;
  readonly tolerance: TolerancePlan | null;
  readonly how: "left" | "inner";
  readonly keepKeys: boolean;
}

/** Returns the as-of join of a stream with a build side, as `join` documents it. */
export function asOfJoin(build: BatchStream, options: AsOfOptions): Operator {
  return joinOperator(asOfKind, asOfSpec(options), build, options);
}

/** Checks the options: throws a TypeError for a wrong one, a RangeError for a wrong tolerance. */
function asOfSpec(options: AsOfOptions): Omit<AsOfSpec, "build"> {
  const { direction = "backward", how = "left", keepKeys = false, tolerance, by = [] } = options;
  const shared = checkShared("An as-of join", options);
  const [time, ...more] = keyPairs("asOf", options.asOf);
  if (time === undefined || more.length > 0) {
    throw new TypeError(`An as-of join has one time, not ${more.length + (time ? 1 : 0)}`);
  }
  checkChoice("The option direction of an as-of join", direction, [
    "backward",
    "forward",
    "nearest",
  ]);
  checkChoice("The option how of an as-of join", how, ["left", "inner"]);
  checkKind("keepKeys", keepKeys, "boolean");
  return {
    ...shared,
    time,
    by: keyPairs("by", by),
    direction,
    tolerance: tolerance === undefined ? null : parseTolerance(tolerance),
    how,
    keepKeys,
  };
}

const asOfKind: NodeKind<AsOfSpec> = joinKind({
  rows: "mostly same",
  summary: ({ how, time, by, direction, tolerance }) =>
    [
      `${how}, ${direction} as of ${printPair(time)}`,
      ...(by.length === 0 ? [] : [`by ${by.map(printPair).join(", ")}`]),
      ...(tolerance === null ? [] : [`within ${tolerance.text}`]),
    ].join(", "),
  needs: ({ time, by, suffix }, wanted) =>
    neededOnLeft(suffix, columnsOfKeys([time, ...by].map(({ left }) => left)), wanted),
  check: checkAsOf,
});

async function checkAsOf(spec: AsOfSpec, left: Schema, context: CheckContext): Promise<Checked> {
  const { build, time, by, direction, tolerance, how } = spec;
  const right = await build.schema();
  const keys = bindKeyPairs([time, ...by], left, right, {
    check([times]) {
      checkTime(times!.left);
      checkTime(times!.right);
    },
  });
  const timeType = keys.types[0]!;
  const columns = outputsOf(spec, left, right, keys.right);
  const read = columnsRead(keys.right.schema, [...keys.right.places, ...columns.payload]);
  const checkedKeys = await computeKeys(keys.left, left, context);
  const bound: BoundAsOf = {
    build,
    how,
    rule: {
      direction,
      tolerance: tolerance === null
        ? null
        : bindTolerance(tolerance, timeType, printKey(time.left)),
    },
    form: isWide(timeType) ? "wide" : "float",
    parts: keys.parts.slice(1),
    probe: sideOf("stream", keys.left, keys.left.places),
    built: sideOf("build side", keys.right, read.among(keys.right.places)),
    request: { computed: keys.right.computed, columns: read.columns },
    columns,
    payload: read.among(columns.payload),
  };
  const lines = [
    ...keys.labels.map((label, index) => `${index === 0 ? "time" : "by"}: ${label}`),
    by.length === 0
      ? "build side: read along with the stream, a batch at a time"
      : "build side: in memory by group, in files where it exceeds the memory",
  ];
  const { unwanted } = columns;
  if (unwanted.length > 0) lines.push(`left out: ${unwanted.join(", ")}`);
  const { schema } = columns;
  const compile = (computed?: Stage): Stage => ({
    schema,
    explain: () => [build.line, ...lines, ...computed?.explain?.() ?? []],
    ...(computed?.compiled === undefined ? {} : { compiled: computed.compiled }),
    run: (input, context) => joinAsOf(bound, computed?.run(input, context) ?? input, context),
  });
  return { schema, compile: () => compile(checkedKeys?.compile()) };
}

/** Throws a TypeError for a column that has no order in time. */
function checkTime({ text, type }: KeySide): void {
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

/** Returns the time and the `by` columns of a side, given their places in its batches. */
function sideOf(
  side: SideColumns["side"],
  { schema: { fields }, places: [timePlace, ...byPlaces], types }: KeyColumns,
  [time, ...by]: readonly number[],
): SideColumns {
  return {
    side,
    time: time!,
    timeName: fields[timePlace!]!.name,
    timeType: types[0]!,
    by,
    byNames: byPlaces.map((place) => fields[place]!.name),
    byTypes: types.slice(1),
  };
}

/** Returns the columns of the result. Keys of the build side that are columns on both sides are left out. */
function outputsOf(
  { time, by, how, suffix, keepKeys, taken, wanted }: AsOfSpec,
  left: Schema,
  right: Schema,
  rightKeys: KeyColumns,
): JoinColumns {
  const probed = left.fields.map((field, place): OutputColumn => ({ field, left: place }));
  const merged = new Set(
    [time, ...by].flatMap(({ left, right }, pair) =>
      !keepKeys && typeof left === "string" && typeof right === "string"
        ? [rightKeys.given[pair]!]
        : []
    ),
  );
  const places = takenColumns(right, taken).filter((place) => !merged.has(place));
  const added = buildColumns(probed, right, places, { suffix, mayMiss: how === "left" });
  return joinColumns([...probed, ...added], wanted, left.metadata);
}
