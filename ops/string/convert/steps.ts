/**
 * Finds the row functions that convert values of one type to another.
 *
 * @module
 */

import { timeUnitNames } from "../../../base/time_text.ts";
import { DataType, DateDay, Float64, Int64 } from "apache-arrow";
import { columnTypeOf, isBinary, isText, typeName } from "../../batch/arrow_types.ts";
import { stepsFromDecimal, stepsToDecimal } from "../../decimal/casts.ts";
import type { CallArgs, ConversionStep } from "../../syntax/overload.ts";
import { type Receiver, receiverOf } from "../../syntax/receiver.ts";
import { type TimeUnitName, timeUnitOf } from "../../time/time_units.ts";
import { isElsewhere, zoneNameOf } from "../../syntax/time_zone.ts";

type Steps = readonly ConversionStep[];

/** The types that each kind can be cast to, as an error message lists them. */
const POSSIBLE: Readonly<Record<Receiver, string>> = {
  text: "integers, floats, decimals, bool, binary, dates, times, timestamps and durations",
  bool: "integers, floats and string",
  int: "integers, floats, decimals, bool, string, dates, times, timestamps and durations",
  uint64: "integers, floats, decimals, bool, string, dates, times, timestamps and durations",
  float: "integers, floats, decimals, bool and string",
  decimal: "integers, floats, decimals and string",
  date: "integers, string, dates and timestamps",
  time: "integers, string and times",
  timestamp: "integers, string, dates and timestamps",
  duration: "integers, string and durations",
  list: "",
  other: "",
};

/**
 * Returns the row functions that `cast` runs in order to convert one type to another; none if the
 * values stay as they are. Returns a text that lists the possible targets where there is no cast.
 */
export function castSteps(from: DataType, to: DataType, args: CallArgs = {}): Steps | string {
  if (args.decimal !== undefined && !isDecimalText(from, to) && !isDecimalText(to, from)) {
    return "decimal is the point of decimals in text";
  }
  if (keepsValues(from, to)) return [];
  const steps = stepsToDecimal(from, to, args) ?? stepsBetween(from, to, args);
  if (steps !== undefined) return steps;
  const possible = isBinary(from) ? "string" : POSSIBLE[receiverOf(from)];
  return possible === ""
    ? `nothing is cast from ${typeName(from)}`
    : `${typeName(from)} is cast to ${possible}`;
}

function isDecimalText(text: DataType, other: DataType): boolean {
  return isText(text) && receiverOf(other) === "decimal";
}

/** Whether values of a type keep their bits in another one, apart from zero or sign extension. */
function keepsValues(from: DataType, to: DataType): boolean {
  if (typeName(from) === typeName(to)) return true;
  if (DataType.isFloat(from) && DataType.isFloat(to)) return from.precision <= to.precision;
  if (isText(from) && isBinary(to)) return true;
  const isFromInt = DataType.isInt(from);
  const isToInt = DataType.isInt(to);
  if (!isFromInt && !isToInt) {
    const isTime = DataType.isTimestamp(from) || DataType.isDate(from);
    if (!isTime || !DataType.isTimestamp(to) || timeUnitOf(from) !== timeUnitOf(to)) return false;
    return !changesClock(from, to);
  }
  // Dates and times are integers too, but a number is not always a time of a day or a whole day.
  if (!isToInt && (DataType.isTime(to) || timeUnitOf(to) === "ms" && DataType.isDate(to))) {
    return false;
  }
  const [source, target] = [columnTypeOf(from), columnTypeOf(to)];
  if (source.kind !== "int" || target.kind !== "int") return false;
  if (source.signed === target.signed) return source.bits <= target.bits;
  return target.signed && source.bits < target.bits;
}

/**
 * Whether a cast converts between local time and instants: one of the types has a time zone other
 * than UTC, and the other type has none.
 */
function changesClock(from: DataType, to: DataType): boolean {
  const [source, target] = [zoneNameOf(from), zoneNameOf(to)];
  return (source === undefined) !== (target === undefined) && isElsewhere(source ? from : to);
}

function stepsBetween(from: DataType, to: DataType, args: CallArgs): Steps | undefined {
  switch (receiverOf(from)) {
    case "text":
      return fromText(to);
    case "bool":
      return fromBool(to);
    case "int":
    case "uint64":
      return fromInteger(from, to);
    case "float":
      return fromFloat(to);
    case "decimal":
      return fromDecimal(from, to, args);
    case "date":
    case "timestamp":
      if (isText(to)) return one(`${textWriter(from)}>text`, to, zoneNameOf(from));
      return DataType.isDate(to) || DataType.isTimestamp(to) ? retimed(from, to) : fromCount(to);
    case "time":
      if (DataType.isTime(to)) return scaled(from, to);
      return isText(to)
        ? [...timeOfDay(from), ...one(`time ${unitOf(from)}>text`, to)]
        : fromCount(to);
    case "duration":
      if (DataType.isDuration(to)) return scaled(from, to);
      return isText(to) ? one("int>text", to) : fromCount(to);
    default:
      return isBinary(from) && isText(to) ? one("binary>text", to) : undefined;
  }
}

function one(overload: string, type: DataType, zone?: string): Steps {
  return [{ overload, type, ...(zone === undefined ? {} : { zone }) }];
}

/** Casts between dates and timestamps; local time becomes an instant, or the reverse, where needed. */
function retimed(from: DataType, to: DataType): Steps | undefined {
  if (!changesClock(from, to)) return scaled(from, to);
  const zone = zoneNameOf(from);
  if (zone !== undefined) {
    const local = one(`${unitOf(from)}>local`, new Int64(), zone);
    return [...local, ...scaledUnits(unitOf(from), to)];
  }
  return [...scaledUnits(unitOf(from), to), ...one(`local>${unitOf(to)}`, to, zoneNameOf(to))];
}

function fromText(to: DataType): Steps | undefined {
  if (DataType.isInt(to)) {
    if (typeName(to) === "uint64") return one("text>uint64", to);
    return [...one("text>int64", new Int64()), ...narrowed("int64", to)];
  }
  if (DataType.isFloat(to)) return one(`text>${typeName(to)}`, to);
  if (DataType.isBool(to)) return one("text>bool", to);
  if (DataType.isTimestamp(to)) {
    return isElsewhere(to)
      ? one(`local text>${unitOf(to)}`, to, zoneNameOf(to))
      : one(`text>${unitOf(to)}`, to);
  }
  if (DataType.isTime(to)) return [...one(`text>time ${unitOf(to)}`, new Int64()), ...counted(to)];
  if (DataType.isDuration(to)) return one("text>int64", to);
  if (!DataType.isDate(to)) return undefined;
  const day = one("text>day", new DateDay());
  return timeUnitOf(to) === "day" ? day : [...day, ...one("day>ms", to)];
}

function fromBool(to: DataType): Steps | undefined {
  if (DataType.isInt(to)) return one(to.bitWidth === 64 ? "bool>wide" : "bool>integer", to);
  if (DataType.isFloat(to)) return one(`bool>${typeName(to)}`, to);
  return isText(to) ? one("bool>text", to) : undefined;
}

function fromInteger(from: DataType, to: DataType): Steps | undefined {
  const source = typeName(from) === "uint64" ? "uint64" : "int64";
  if (DataType.isInt(to)) return narrowed(source, to);
  if (DataType.isBool(to)) return one("integer>bool", to);
  if (isText(to)) return one(source === "uint64" ? "uint64>text" : "int>text", to);
  if (DataType.isFloat(to)) {
    return [...one(`${source}>float64`, new Float64()), ...narrowed("float64", to)];
  }
  if (unitOf(to) === undefined) return undefined;
  const count = source === "uint64" ? one("uint64>int64", new Int64()) : [];
  if (DataType.isTime(to)) {
    return [...count, ...timeOfDay(to), ...counted(to)];
  }
  if (DataType.isDate(to) && timeUnitOf(to) === "ms") return [...count, ...one("ms>midnight", to)];
  return timeUnitOf(to) === "day" ? one(`${source}>int32`, to) : one(`${source}>int64`, to);
}

function fromFloat(to: DataType): Steps | undefined {
  if (isText(to)) return one("float>text", to);
  if (DataType.isFloat(to)) return narrowed("float64", to);
  if (typeName(to) === "uint64") return one("float64>uint64", to);
  const whole = one("float64>int64", new Int64());
  if (DataType.isInt(to)) return [...whole, ...narrowed("int64", to)];
  return DataType.isBool(to) ? [...whole, ...one("integer>bool", to)] : undefined;
}

function fromDecimal(from: DataType, to: DataType, args: CallArgs): Steps | undefined {
  const steps = stepsFromDecimal(from, to, args);
  if (steps === undefined || isText(to)) return steps;
  const { type } = steps.at(-1)!;
  const source = DataType.isFloat(type) ? "float64" : typeName(type);
  return typeName(to) === source ? steps : [...steps, ...one(`${source}>${typeName(to)}`, to)];
}

/** Casts from a count of 32 or 64 bits to an integer. */
function fromCount(to: DataType): Steps | undefined {
  return DataType.isInt(to) ? narrowed("int64", to) : undefined;
}

/** Casts from the widest type of a kind to one that may be narrower. */
function narrowed(source: "int64" | "uint64" | "float64", to: DataType): Steps {
  return typeName(to) === source ? [] : one(`${source}>${typeName(to)}`, to);
}

/** Casts from one unit to another. */
function scaled(from: DataType, to: DataType): Steps | undefined {
  const steps = scaledUnits(unitOf(from), to);
  return steps.length === 0 ? undefined : steps;
}

/** Casts from a count in a unit to a type; no steps where the type counts in the same unit. */
function scaledUnits(source: TimeUnitName | undefined, to: DataType): Steps {
  const target = unitOf(to);
  if (source === undefined || target === undefined) return [];
  if (DataType.isDate(to) && target === "ms") return one(`${source}>midnight`, to);
  if (source === target) return [];
  return [...one(`${source}>${target}`, new Int64()), ...counted(to)];
}

/** Accepts only counts that are a time of a day in the unit of a type. */
function timeOfDay(type: DataType): Steps {
  return one(`int64>time ${unitOf(type)}`, new Int64());
}

/** Casts from a count of 64 bits to the width of a type. */
function counted(to: DataType): Steps {
  const type = columnTypeOf(to);
  return type.kind === "int" && type.bits === 32 ? one("int64>int32", to) : [];
}

/** Returns the unit of a date, time, timestamp or duration; undefined for other types. */
function unitOf(type: DataType): TimeUnitName | undefined {
  return DataType.isTime(type) || DataType.isDuration(type)
    ? timeUnitNames[type.unit]
    : timeUnitOf(type);
}

/** Returns the name of the writer of a date or a timestamp. */
function textWriter(type: DataType): string | undefined {
  return DataType.isDate(type) && timeUnitOf(type) === "ms" ? "msDate" : timeUnitOf(type);
}
