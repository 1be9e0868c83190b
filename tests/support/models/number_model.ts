/**
 * The rules of types that meet and of comparisons: an oracle. Values are as in
 * `arrow_values.ts`: integers of 64 bits are bigint.
 */

import { DataType, Float64, Int16, Int32, Int64 } from "apache-arrow";
import type { Literal } from "../../../ops/syntax/literal.ts";
import { instantOf, readIso, startOfDay, zoneOf } from "./time_model.ts";

/** What has a type, or is a literal that can still take another. */
interface Side {
  readonly type: DataType | null;
  readonly literal?: Literal;
}

/** The type in which two sides meet; undefined where there is none. */
export function commonTypeOf(left: Side, right: Side): DataType | undefined {
  if (left.type === null) return right.type ?? undefined;
  if (right.type === null) return left.type;
  for (const [side, other] of [[left, right], [right, left]] as const) {
    if (side.literal === undefined || other.literal !== undefined) continue;
    if (holdsValue(other.type!, side.literal as Exclude<Literal, null>) !== undefined) {
      return other.type!;
    }
  }
  return widerType(left.type, right.type, [left, right]);
}

function widerType(left: DataType, right: DataType, sides: Side[]): DataType | undefined {
  if (DataType.isInt(left) && DataType.isInt(right)) return commonInteger(left, right);
  if (DataType.isFloat(left) && DataType.isFloat(right)) {
    return left.precision >= right.precision ? left : right;
  }
  const isFloat = [left, right].some((type) => DataType.isFloat(type));
  const isNumber = sides.some(({ literal }) => typeof literal === "number");
  if (isFloat && isNumber && [left, right].some((type) => DataType.isInt(type))) {
    const integer = sides[DataType.isInt(left) ? 0 : 1]!;
    return integer.literal === undefined ? undefined : new Float64();
  }
  if (DataType.isTimestamp(left) && DataType.isTimestamp(right)) {
    // Instants of two time zones are of one type.
    return left.unit === right.unit && !left.timezone === !right.timezone ? left : undefined;
  }
  return String(left) === String(right) ? left : undefined;
}

function commonInteger(
  left: { isSigned: boolean; bitWidth: number } & DataType,
  right: { isSigned: boolean; bitWidth: number } & DataType,
): DataType | undefined {
  if (left.isSigned === right.isSigned) return left.bitWidth >= right.bitWidth ? left : right;
  const [signed, unsigned] = left.isSigned ? [left, right] : [right, left];
  const bits = Math.max(signed.bitWidth, 2 * unsigned.bitWidth);
  if (bits > 64) return undefined;
  return bits === 16 ? new Int16() : bits === 32 ? new Int32() : new Int64();
}

/** A literal, or a value of a narrower type, as a value of a type; undefined where it is none. */
export function holdsValue(type: DataType, value: Exclude<Literal, null>): unknown {
  if (DataType.isBool(type)) return typeof value === "boolean" ? value : undefined;
  if (DataType.isInt(type)) {
    if (typeof value !== "bigint" && !Number.isInteger(value)) return undefined;
    const whole = BigInt(value);
    const { bitWidth, isSigned } = type;
    const own = isSigned ? BigInt.asIntN(bitWidth, whole) : BigInt.asUintN(bitWidth, whole);
    return own === whole ? (bitWidth === 64 ? whole : Number(whole)) : undefined;
  }
  if (DataType.isFloat(type)) {
    if (typeof value !== "number" && typeof value !== "bigint") return undefined;
    const number = Number(value);
    if (typeof value === "bigint" && (!Number.isFinite(number) || BigInt(number) !== value)) {
      return undefined;
    }
    const own = type.precision === 1 ? Math.fround(number) : number;
    return Object.is(own, number) ? number : undefined;
  }
  const isTime = DataType.isDate(type) || DataType.isTimestamp(type);
  if (isTime && typeof value === "string") return timeLiteral(type, value);
  if (DataType.isUtf8(type)) return typeof value === "string" ? value : undefined;
  return typeof value === "string" ? undefined : value;
}

/** A day or a time in ISO form, in the unit of a type. */
function timeLiteral(type: DataType, text: string): unknown {
  const micros = readIso(text);
  if (micros === null) return undefined;
  if (DataType.isDate(type)) {
    if (micros % (type.unit === 0 ? 86_400_000_000n : 1000n) !== 0n) return undefined;
    return type.unit === 0 ? Number(micros / 86_400_000_000n) : micros / 1000n;
  }
  const { unit } = type as DataType & { unit: number };
  let instant: bigint | null = micros;
  const zone = zoneOf(type);
  if (zone !== undefined && !/-..[T ].*[Z+-]/.test(text)) {
    const part = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
    const local = (micros - part) / 1_000_000n;
    const seconds = /-..$/.test(text) && !/:/.test(text)
      ? startOfDay(text, zone)
      : instantOf(local, zone);
    instant = seconds === null ? null : seconds * 1_000_000n + part;
  }
  if (instant === null) return undefined;
  const count = instant * 1000n ** BigInt(unit);
  return count % 1_000_000n === 0n ? count / 1_000_000n : undefined;
}

/** The order of two values: of numbers exactly, of texts by their bytes, NaN behind all others. */
export function compareValues(left: unknown, right: unknown): number {
  if (typeof left === "string" && typeof right === "string") {
    const [a, b] = [[...left], [...right]];
    const at = a.findIndex((char, index) => char !== b[index]);
    if (at < 0) return a.length - b.length;
    return b[at] === undefined ? 1 : a[at]!.codePointAt(0)! - b[at]!.codePointAt(0)!;
  }
  if (Number.isNaN(left)) return Number.isNaN(right) ? 0 : 1;
  if (Number.isNaN(right)) return -1;
  return (left as number) < (right as number) ? -1 : (left as number) > (right as number) ? 1 : 0;
}
