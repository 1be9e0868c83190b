/**
 * The tolerance of an as-of join, as users write it and in the unit of a column.
 *
 * @module
 */

import { timeUnitNames } from "../../../base/time_text.ts";
import { DataType } from "apache-arrow";
import type { Tolerance } from "../../../gpu/order/as_of/distance.ts";
import { typeName } from "../../batch/arrow_types.ts";

/** A tolerance as the user wrote it. */
export type TolerancePlan =
  | { readonly kind: "number"; readonly text: string }
  | {
    readonly kind: "duration";
    readonly text: string;
    /** All digits as an integer, the last `digits` of which are decimals. */
    readonly count: bigint;
    readonly digits: number;
    readonly unit: UnitName;
  };

type UnitName = keyof typeof UNIT_NS;

/** Nanoseconds of each unit of a duration. */
const UNIT_NS = {
  ns: 1n,
  us: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
  d: 86_400_000_000_000n,
};

const NUMBER = /^\d+(\.\d+)?([eE][+-]?\d+)?$/;
const DURATION = /^(\d+)(?:\.(\d+))? ?(ns|us|ms|s|m|h|d)$/;

/**
 * Reads a tolerance: a number of 0 or more, in the unit of the column, or a duration such as "2s".
 * Throws a RangeError for another number or text, and a TypeError for any other value.
 */
export function parseTolerance(given: unknown): TolerancePlan {
  if (typeof given !== "number" && typeof given !== "bigint" && typeof given !== "string") {
    throw new TypeError(`A tolerance is a number or a text such as "2s", not ${typeof given}`);
  }
  const text = String(given).trim();
  if (NUMBER.test(text) && Number.isFinite(Number(text))) return { kind: "number", text };
  const [, whole = "", fraction = "", unit] = DURATION.exec(text) ?? [];
  if (unit === undefined) {
    const shown = typeof given === "string" ? JSON.stringify(given) : text;
    throw new RangeError(
      `A tolerance is a number of 0 or more, or a duration in ${
        Object.keys(UNIT_NS).join(", ")
      } such as "2s", not ${shown}`,
    );
  }
  const count = BigInt(whole + fraction);
  return { kind: "duration", text, count, digits: fraction.length, unit: unit as UnitName };
}

/**
 * Returns a tolerance in the unit of a column of times, exactly. `name` is the name of the column, for
 * errors.
 *
 * Throws a TypeError for a duration if the column has no unit, and a RangeError if the tolerance is not a
 * whole number of the column's units, unless the column has floats.
 */
export function bindTolerance(plan: TolerancePlan, type: DataType, name: string): Tolerance {
  if (DataType.isFloat(type) && plan.kind === "number") return { high: Number(plan.text), low: 0 };
  const count = plan.kind === "number" ? wholeNumber(plan.text) : unitsOf(plan, type, name);
  if (count === null) {
    throw new RangeError(
      `A tolerance of ${plan.text} is not a whole number of ${unitWord(type)}, the unit of ${name}`,
    );
  }
  // The distance between two times is at most 2^64.
  const most = count < 1n << 64n ? count : 1n << 64n;
  if (!isWide(type)) return { high: Number(most), low: 0 };
  const low = BigInt.asUintN(32, most);
  return { high: Number(most - low), low: Number(low) };
}

/** Whether times of a type are 64-bit integers. */
export function isWide(type: DataType): boolean {
  if (DataType.isFloat(type)) return false;
  if (DataType.isDate(type)) return type.unit !== 0;
  return DataType.isInt(type) || DataType.isTime(type)
    ? type.bitWidth === 64
    : DataType.isTimestamp(type) || DataType.isDuration(type);
}

/** Returns an integer in any notation, such as `5`, `5.0` or `1e3`; null for a fraction. */
function wholeNumber(text: string): bigint | null {
  if (/^\d+$/.test(text)) return BigInt(text);
  const value = Number(text);
  return Number.isInteger(value) ? BigInt(value) : null;
}

/** Returns a duration in units of the type; null if it is not a whole number of them. */
function unitsOf(
  { text, count, digits, unit }: TolerancePlan & { kind: "duration" },
  type: DataType,
  name: string,
): bigint | null {
  const own = timeUnit(type);
  if (own === null) {
    throw new TypeError(
      `A tolerance of ${text} needs dates, times, timestamps or durations, but ${name} is ` +
        `${typeName(type)}; give a number`,
    );
  }
  const parts = count * UNIT_NS[unit];
  const partsOfUnit = UNIT_NS[own] * 10n ** BigInt(digits);
  return parts % partsOfUnit === 0n ? parts / partsOfUnit : null;
}

/** Returns the unit of a column of times; null for numbers. */
export function timeUnit(type: DataType): UnitName | null {
  if (DataType.isDate(type)) return type.unit === 0 ? "d" : "ms";
  if (DataType.isTimestamp(type) || DataType.isTime(type) || DataType.isDuration(type)) {
    return timeUnitNames[type.unit];
  }
  return null;
}

const UNIT_WORDS: Readonly<Record<UnitName, string>> = {
  ns: "nanoseconds",
  us: "microseconds",
  ms: "milliseconds",
  s: "seconds",
  m: "minutes",
  h: "hours",
  d: "days",
};

function unitWord(type: DataType): string {
  const unit = timeUnit(type);
  return unit === null ? "units" : UNIT_WORDS[unit];
}
