/**
 * What operations on dates, times and durations mean, one row at a time: an oracle that has its calendar
 * from Temporal, and its whole numbers as BigInt. Values are as in `arrow_values.ts`.
 */

import { DataType, DateDay, Int32, Int64, Timestamp, Utf8 } from "apache-arrow";
import type { ExprNode } from "../../../ops/syntax/node.ts";
import {
  calendarOf,
  CLOCK_FIELDS,
  DAY,
  DAY_FIELDS,
  dayIn,
  DAYS,
  FAILS,
  floorOf,
  isDay,
  isSpan,
  LENGTHS,
  type Local,
  localOf,
  MONTHS,
  monthsOf,
  NS,
  rest,
  valueIn,
} from "./calendar_model.ts";
import { type Call, lengthCall, operatorCall } from "./duration_model.ts";
import { type ExprModel, ModelRowError, refuse } from "./expr_model_types.ts";
import {
  compatibleInstant,
  perSecond,
  startOfDayAt,
  timeOf,
  toLocal,
  zoneOf,
} from "./time_model.ts";

type CallNode = ExprNode & { node: "call" };

/** The names of the operations that this model has. */
export const DATE_OPERATIONS: readonly string[] = [
  ...Object.keys(DAY_FIELDS),
  ...Object.keys(CLOCK_FIELDS),
  ...[
    "monthName",
    "dayName",
    "monthEnd",
    "epoch",
    "truncate",
    "plus",
    "since",
    "total",
    "duration",
  ],
  "toLocal",
];

/** The model of a call with dates, times or durations; undefined for any other. */
export function dateModel(
  node: CallNode,
  model: (child: ExprNode) => ExprModel,
  isLenient: boolean,
): ExprModel | undefined {
  const { name } = node.op.spec;
  const isOperator = name === "add" || name === "sub" || name === "neg";
  if (!isOperator && !DATE_OPERATIONS.includes(name)) return undefined;
  const subject = model(node.text);
  const [first] = node.args;
  const isTaken = first !== undefined && (isOperator || name === "plus" || name === "since");
  const other = isTaken ? model(first) : undefined;
  const isTime = (side?: ExprModel) =>
    side?.type !== null && side?.type !== undefined &&
    (DataType.isDate(side.type) || isSpan(side.type));
  if (isOperator && !isTime(subject) && !isTime(other)) return undefined;
  if (subject.type === null || other?.type === null) return refuse(`${name} of null`);
  const call = isOperator
    ? operatorCall(name, subject.type, other?.type)
    : callOf(node, subject.type, other);
  return {
    type: call.type,
    at(row) {
      const [value, by] = [subject.at(row), other?.at(row)];
      if (value === null || by === null) return null;
      const result = call.value(value, by);
      if (result !== FAILS) return result;
      if (isLenient) return null;
      throw new ModelRowError(call.error ?? "ConversionError", row);
    },
  };
}

function literalOf({ args }: CallNode, index: number): unknown {
  const arg = args[index];
  return arg?.node === "literal" ? arg.value : undefined;
}

function callOf(node: CallNode, type: DataType, other: ExprModel | undefined): Call {
  const { name } = node.op.spec;
  if (name === "total" || name === "duration") return lengthCall(name, type, literalOf(node, 0));
  if (!DataType.isDate(type) && !DataType.isTimestamp(type)) return refuse(`${name} of ${type}`);
  const isDate = DataType.isDate(type);
  const field = DAY_FIELDS[name] ?? (isDate ? undefined : CLOCK_FIELDS[name]);
  const unit = String(literalOf(node, name === "plus" || name === "since" ? 1 : 0));
  if (field !== undefined) {
    const isFraction = ["millisecond", "microsecond", "nanosecond"].includes(name);
    return {
      type: new Int32(),
      value(value) {
        const local = localOf(value, type);
        if (!isFraction && !isDay(local.day)) return FAILS;
        return Number(field(local, calendarOf(isFraction ? 0n : local.day)));
      },
    };
  }
  switch (name) {
    case "monthName":
    case "dayName":
      return {
        type: new Utf8(),
        value(value) {
          const { day } = localOf(value, type);
          if (!isDay(day)) return null;
          const { date } = calendarOf(day);
          return date.toLocaleString(
            "en",
            name === "monthName" ? { month: "long" } : {
              weekday: "long",
            },
          );
        },
      };
    case "monthEnd":
      return {
        type: new DateDay(),
        value(value) {
          const { day } = localOf(value, type);
          return isDay(day) ? valueIn(new DateDay(), dayIn(monthsOf(calendarOf(day)), 31)) : FAILS;
        },
      };
    case "epoch":
      return epochCall(type, unit);
    case "truncate":
      return truncateCall(type, unit, BigInt(Number(literalOf(node, 1) ?? 1)));
    case "plus":
      return plusCall(type, unit, other!);
    case "since":
      return sinceCall(type, unit, other!);
    case "toLocal":
      if (zoneOf(type) === undefined) return refuse("a time zone");
      return {
        type: new Timestamp((type as Timestamp).unit, null),
        value: (value) => valueIn(type, toLocal(value as bigint, type)),
      };
    default:
      return refuse(name);
  }
}

function epochCall(type: DataType, unit: string): Call {
  const length = LENGTHS[unit] ?? (unit === "day" ? DAY * NS : undefined);
  if (length === undefined) return refuse("epoch");
  const own = NS / perSecond(type);
  return {
    type: new Int64(),
    value: (value) => valueIn(new Int64(), floorOf(timeOf(value as bigint, type) * own, length)),
  };
}

/** The instant at which a local day and time is, in units of a type. */
function countAt(type: DataType, day: bigint, within: bigint): bigint {
  const by = perSecond(type);
  const local = day * DAY + floorOf(within, by);
  const zone = zoneOf(type);
  return (zone === undefined ? local : compatibleInstant(local, zone)) * by + rest(within, by);
}

/** A count of seconds in a day as one of the type, which may count days. */
function inType(type: DataType, count: bigint): bigint {
  return DataType.isDate(type) && type.unit === 0 ? count / DAY : count;
}

function truncateCall(type: DataType, unit: string, n: bigint): Call {
  const step = LENGTHS[unit];
  if (step !== undefined && DataType.isDate(type)) return refuse("a clock");
  const [months, days] = [MONTHS[unit], DAYS[unit]];
  return {
    type,
    value(value) {
      const { day, within, by } = localOf(value, type);
      if (!isDay(day)) return FAILS;
      if (step !== undefined) {
        const inUnits = step * n * by / NS;
        return valueIn(type, (value as bigint) - (inUnits > 1n ? within % inUnits : 0n));
      }
      const from = unit === "week" ? 4n : 0n;
      const first = months === undefined
        ? floorOf(day - from, days! * n) * days! * n + from
        : dayIn(floorOf(monthsOf(calendarOf(day)), months * n) * months * n, 1);
      if (DataType.isDate(type) && type.unit === 0) return valueIn(type, first);
      if (!isDay(first)) return FAILS;
      const zone = zoneOf(type);
      const start = zone === undefined ? first * DAY : startOfDayAt(first, zone);
      return valueIn(type, start * by);
    },
  };
}

function plusCall(type: DataType, unit: string, { type: of }: ExprModel): Call {
  const isWide = of !== null && DataType.isInt(of) && !of.isSigned && of.bitWidth === 64;
  if (of === null || !DataType.isInt(of) || isWide) return refuse("plus");
  const error = "ArithmeticError";
  const step = LENGTHS[unit];
  if (step !== undefined) {
    const by = perSecond(type);
    if (DataType.isDate(type) || step * by % NS !== 0n) return refuse("a clock");
    return {
      type,
      error,
      value: (value, n) =>
        valueIn(type, (value as bigint) + BigInt(n as number) * (step * by / NS)),
    };
  }
  const [months, days] = [MONTHS[unit], DAYS[unit]];
  return {
    type,
    error,
    value(value, n) {
      const { day, within } = localOf(value, type);
      if (!isDay(day)) return FAILS;
      const count = BigInt(n as number);
      // More than the days of 32 bits.
      if (count > 2n ** 33n || count < -(2n ** 33n)) return FAILS;
      if (count === 0n) return value as bigint;
      const calendar = calendarOf(day);
      const moved = months === undefined
        ? day + count * days!
        : dayIn(monthsOf(calendar) + count * months, calendar.date.day);
      if (!isDay(moved)) return FAILS;
      return valueIn(type, inType(type, countAt(type, moved, within)));
    },
  };
}

function sinceCall(type: DataType, unit: string, { type: of }: ExprModel): Call {
  const isSame = of !== null &&
    (DataType.isTimestamp(type) && DataType.isTimestamp(of)
      ? type.unit === of.unit && !type.timezone === !of.timezone
      : String(type) === String(of));
  if (!isSame) return refuse("since");
  const length = LENGTHS[unit];
  if (length !== undefined) {
    if (DataType.isDate(type)) return refuse("a clock");
    const own = NS / perSecond(type);
    return {
      type: new Int64(),
      value(end, start) {
        const between = (end as bigint) - (start as bigint);
        if (valueIn(new Int64(), between) === FAILS) return FAILS;
        return valueIn(new Int64(), between * own / length);
      },
    };
  }
  const [months, days] = [MONTHS[unit], DAYS[unit]];
  return {
    type: new Int64(),
    value(value, begin) {
      const [end, start] = [localOf(value, type), localOf(begin, type)];
      if (!isDay(end.day) || !isDay(start.day)) return FAILS;
      const sign = end.day > start.day || (end.day === start.day && end.within >= start.within)
        ? 1n
        : -1n;
      const [from, to] = sign > 0n ? [start, end] : [end, start];
      if (months === undefined) {
        const whole = to.day - from.day - (to.within < from.within ? 1n : 0n);
        return sign * (whole / days!);
      }
      return sign * wholeMonths(start, end, sign) / months;
    },
  };
}

/** The greatest number of months after which a start has not passed an end. */
function wholeMonths(start: Local, end: Local, sign: bigint): bigint {
  const calendar = calendarOf(start.day);
  const passes = (count: bigint) => {
    const [months, day] = [monthsOf(calendar) + sign * count, calendar.date.day];
    const moved = dayIn(months, day);
    // Without the day of the start, a month is not whole on its last day.
    const isCut = calendarOf(moved).date.day !== day;
    const at = moved + (isCut && sign > 0n ? 1n : 0n);
    const within = isCut && sign > 0n ? 0n : start.within;
    return sign > 0n
      ? at > end.day || (at === end.day && within > end.within)
      : at < end.day || (at === end.day && within < end.within);
  };
  let count = sign * (monthsOf(calendarOf(end.day)) - monthsOf(calendar)) + 1n;
  while (count > 0n && passes(count)) count--;
  return count;
}
