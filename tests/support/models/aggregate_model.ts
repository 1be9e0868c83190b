/** The aggregates of a group by plain lists of values, with exact fractions: the judge of their states. */

import type { Value } from "../values/host_columns.ts";
import { type Fraction, fractionOf, nearestFloat } from "./exact_numbers.ts";

/** A value that is not null. */
export type Plain = string | number | bigint | boolean;

/** The result of an aggregate over the values of one group, and over the values of its second argument. */
export function modelAggregate(
  name: string,
  values: readonly Value[],
  others: readonly Value[] = [],
): Value {
  const valid = values.filter((value) => value !== null) as Plain[];
  switch (name) {
    case "count":
      return BigInt(valid.length);
    case "countDistinct":
      return BigInt(new Set(valid.map(identity)).size);
    case "sum":
      return valid.length === 0
        ? null
        : valid.reduce<bigint>((sum, value) => sum + BigInt(value), 0n);
    case "floatSum":
      return valid.length === 0 ? null : sumOfFloats(valid as number[]);
    case "first":
      return values[0] ?? null;
    case "last":
      return values.at(-1) ?? null;
    case "min":
    case "argMin":
      return extreme(values, name === "min" ? values : others, -1);
    case "max":
    case "argMax":
      return extreme(values, name === "max" ? values : others, 1);
    case "mode":
      return modeOf(valid);
    case "list":
      return values as Value;
    case "any":
      return valid.length === 0 ? null : valid.includes(true);
    case "all":
      return valid.length === 0 ? null : !valid.includes(false);
    case "variance":
      return varianceOf(valid.map(Number));
    default:
      throw new TypeError(`No model of ${name}`);
  }
}

/** The sum of floats, rounded once. */
export function sumOfFloats(values: readonly number[]): number {
  const special = values.filter((value) => !Number.isFinite(value));
  if (special.length > 0) return special.reduce((sum, value) => sum + value);
  return nearestFloat(total(values.map(fractionOf)));
}

/** The variance of a sample: the mean of the squares of the distances from the mean, exactly. */
function varianceOf(values: readonly number[]): number | null {
  if (values.length < 2) return null;
  if (values.some((value) => !Number.isFinite(value))) return NaN;
  const fractions = values.map(fractionOf);
  const sum = total(fractions);
  const count = BigInt(values.length);
  const squares = total(
    fractions.map(({ above, below }) => {
      const distance = {
        above: above * count * sum.below - sum.above * below,
        below: below * count * sum.below,
      };
      return { above: distance.above ** 2n, below: distance.below ** 2n };
    }),
  );
  return nearestFloat({ above: squares.above, below: squares.below * (count - 1n) });
}

function total(fractions: readonly Fraction[]): Fraction {
  const below = fractions.reduce((most, { below }) => below > most ? below : most, 1n);
  // All denominators are powers of 2.
  const above = fractions.reduce((sum, part) => sum + part.above * (below / part.below), 0n);
  return { above, below };
}

function extreme(values: readonly Value[], keys: readonly Value[], sign: number): Value {
  let best = -1;
  keys.forEach((key, row) => {
    if (key === null) return;
    if (best < 0 || sign * compareValues(key as Plain, keys[best] as Plain) > 0) best = row;
  });
  return best < 0 ? null : values[best]!;
}

const encoder = new TextEncoder();

/** NaN is the greatest number; text is in the order of its bytes. */
export function compareValues(left: Plain, right: Plain): number {
  if (typeof left === "string") {
    const [a, b] = [encoder.encode(left), encoder.encode(right as string)];
    const at = a.findIndex((byte, index) => byte !== b[index]);
    return at < 0 ? a.length - b.length : a[at]! - (b[at] ?? -1);
  }
  if (Number.isNaN(left) || Number.isNaN(right)) {
    return Number(Number.isNaN(left)) - Number(Number.isNaN(right));
  }
  return left < right ? -1 : left > right ? 1 : 0;
}

function modeOf(values: readonly Plain[]): Value {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(identity(value), (counts.get(identity(value)) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return values.find((value) => counts.get(identity(value)) === most) ?? null;
}

/** -0 is 0, and all NaN are one value. */
function identity(value: Plain): string {
  return `${typeof value} ${value}`;
}
