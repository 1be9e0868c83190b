/** What operators between dates, times and durations mean, and lengths in units: an oracle. */

import { DataType, Duration, Float64, Timestamp } from "apache-arrow";
import { DAY, DAYS, FAILS, isSpan, LENGTHS, NS, unitsOf, valueIn } from "./calendar_model.ts";
import { refuse } from "./expr_model_types.ts";
import { timeOf, zoneOf } from "./time_model.ts";

type Result = number | bigint | string | null | typeof FAILS;

/** A call: the type of its result, and its value for values that are not null. */
export interface Call {
  readonly type: DataType;
  /** The error of a row without a value. */
  readonly error?: "ArithmeticError" | "ConversionError";
  value(value: unknown, other: unknown): Result;
}

/** `total` and `duration`. */
export function lengthCall(name: string, type: DataType, unit: unknown): Call {
  const length = LENGTHS[String(unit)] ?? (DAYS[String(unit)] ?? 0n) * DAY * NS;
  if (length === 0n) return refuse("a length");
  if (name === "total") {
    if (!DataType.isDuration(type)) return refuse("total");
    const own = NS / unitsOf(type);
    const [factor, divisor] = length > own ? [1n, length / own] : [own / length, 1n];
    return {
      type: new Float64(),
      value: (value) => Number(value) * Number(factor) / Number(divisor),
    };
  }
  const isWide = DataType.isInt(type) && !type.isSigned && type.bitWidth === 64;
  if (!DataType.isInt(type) || isWide) return refuse("duration");
  const finest = [0, 1, 2, 3].find((unit) => length % (NS / 1000n ** BigInt(unit)) === 0n)!;
  const result = new Duration(finest);
  const factor = length / (NS / unitsOf(result));
  return {
    type: result,
    value: (value) => valueIn(result, BigInt(value as number) * factor),
  };
}

/** The operator of two types, of which one at least is a time. */
export function operatorCall(name: string, type: DataType, other: DataType | undefined): Call {
  const error = "ArithmeticError";
  if (other === undefined) {
    if (!DataType.isDuration(type)) return refuse(name);
    return { type, error, value: (value) => valueIn(type, -(value as bigint)) };
  }
  const isKnown = (side: DataType) => DataType.isDate(side) || isSpan(side);
  if (!isKnown(type) || !isKnown(other)) return refuse(name);
  const unit = Math.max(
    0,
    ...[type, other].map((side) =>
      isSpan(side) ? side.unit : DataType.isDate(side) ? side.unit : 0
    ),
  );
  const scaled = (value: unknown, side: DataType, to: DataType) => {
    const count = DataType.isDuration(side) ? value as bigint : timeOf(value as bigint, side);
    return count * (unitsOf(to) / unitsOf(side));
  };
  const result = (to: DataType, sign: bigint): Call => ({
    type: to,
    error,
    value(left, right) {
      const [a, b] = [scaled(left, type, to), scaled(right, other, to)];
      if ([a, b].some((count) => BigInt.asIntN(64, count) !== count)) return FAILS;
      return valueIn(to, a + sign * b);
    },
  });
  const moved = (side: DataType) =>
    DataType.isDuration(side) ? new Duration(unit) : new Timestamp(unit, zoneOf(side) ?? null);
  if (name === "sub") {
    if (DataType.isDuration(other)) return result(moved(type), -1n);
    const isDates = DataType.isDate(type) && DataType.isDate(other);
    const isTimes = DataType.isTimestamp(type) && DataType.isTimestamp(other) &&
      !type.timezone === !other.timezone;
    if (!isDates && !isTimes) return refuse(name);
    return result(new Duration(unit), -1n);
  }
  if (DataType.isDuration(other)) return result(moved(type), 1n);
  return DataType.isDuration(type) ? result(moved(other), 1n) : refuse(name);
}
