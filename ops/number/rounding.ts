/**
 * Rounding. Whole numbers stay whole numbers of 64 bits, and floats stay floats.
 *
 * @module
 */

import { Float32 } from "apache-arrow";
import { defineHelper } from "../../gpu/kernel/fold/define_helper.ts";
import { numeric } from "../../gpu/kernel/fold/numeric.ts";
import { defineOp, overload, type StringOp } from "../string/define/define_string_op.ts";
import type { StringOpSpecBase } from "../syntax/node.ts";
import type { CallArgs } from "../syntax/overload.ts";

const { abs, addOverflows, addOverflowsU, fround, modU } = numeric;

/** Where a value goes that is as near to both neighbours: away from 0, or to the even digit. */
export type Ties = "away" | "even";

/** Options of `round`. */
export interface RoundOptions {
  /** Where a value goes that is as near to both neighbours. Default: "away". */
  readonly ties?: Ties | null;
}

const I64 = { subject: "i64", returns: "i64" } as const;
const U64 = { subject: "u64", returns: "u64" } as const;
const F64 = { subject: "f64", returns: "f64" } as const;
const F32 = { ...F64, gives: new Float32() } as const;

/** 10^22 is the greatest power of ten that a float64 holds, 10^18 that an int64 does. */
const MOST_DIGITS = 22;
const LEAST_DIGITS = -18;

/**
 * Rounds a float to a number of decimal places, of which `scale` is the power of ten. The product of
 * both is `product + error` exactly, by the splitting of Dekker (1971), and that decides where `product`
 * alone is a tie. A whole number below 2^53 divided by such a power of ten is the nearest float.
 */
const toPlaces = defineHelper({
  args: ["f64", "f64", "bool"],
  returns: "f64",
  consts: { abs, floor: numeric.floor, splitter: 2 ** 27 + 1, end: 2 ** 53 },
  row(value, scale, isEven, { abs, floor, splitter, end }) {
    const size = abs(value);
    const product = size * scale;
    // From 2^53 on the float has no digits at that place; NaN is not less, either.
    if (size === 0 || !(product < end)) return value;
    const split = size * splitter;
    const high = split - (split - size);
    const low = size - high;
    const scaleSplit = scale * splitter;
    const scaleHigh = scaleSplit - (scaleSplit - scale);
    const scaleLow = scale - scaleHigh;
    const error = high * scaleHigh - product + high * scaleLow + low * scaleHigh + low * scaleLow;
    const whole = floor(product);
    const over = product - whole - 0.5 + error;
    // A tie whose product was rounded, from 2^52 on, was rounded to the even number already.
    const isUp = over > 0 || (over === 0 && (!isEven || whole % 2 === 1));
    const rounded = isUp ? whole + 1 : whole;
    const result = rounded / scale;
    return value < 0 ? -result : result;
  },
});

/** Rounds a float to a multiple of `unit`, a power of ten. The remainder is exact. */
const toUnits = defineHelper({
  args: ["f64", "f64", "bool"],
  returns: "f64",
  consts: { abs },
  row(value, unit, isEven, { abs }) {
    const rest = value % unit;
    // NaN and the infinities have no remainder.
    if (rest !== rest) return value;
    const size = abs(rest);
    const over = size * 2 - unit;
    const isUp = over > 0 ||
      (over === 0 && (!isEven || (value - rest) % (unit * 2) !== 0));
    const step = value < 0 ? size - unit : unit - size;
    const result = isUp ? value + step : value - rest;
    return result === 0 ? value * 0 : result;
  },
});

/** Returns what the row functions of `round` are made for. */
function placesOf({ digits, ties }: CallArgs) {
  const places = Number(digits ?? 0);
  return {
    digits: places,
    even: ties === "even" ? 1 : 0,
    scale: Number(`1e${Math.abs(places)}`),
    unit: places < 0 ? 10n ** BigInt(-places) : 1n,
  };
}

function problemOf({ digits, ties }: CallArgs): string | undefined {
  const isWhole = digits === undefined || Number.isInteger(Number(digits));
  if (!isWhole || Number(digits ?? 0) > MOST_DIGITS || Number(digits ?? 0) < LEAST_DIGITS) {
    const hint = typeof digits === "string" ? '; truncate("hour") is the start of the hour' : "";
    return `digits must be a whole number from ${LEAST_DIGITS} to ${MOST_DIGITS}${hint}`;
  }
  if (ties !== undefined && ties !== "away" && ties !== "even") return 'ties is "away" or "even"';
}

/** Rounds to a number of decimal places, half away from 0. */
export const round: StringOp<
  [digits?: number | RoundOptions | null, ties?: Ties | RoundOptions | null]
> = defineOp({
  name: "round",
  group: "numbers",
  args: { digits: "literal", ties: "literal" },
  optional: ["digits", "ties"],
  accepts: { digits: "i32", ties: '"away" | "even"' },
  isStrict: () => true,
  summary: "The nearest number with this many decimal places, 0 by default",
  details:
    'Of two that are as near, it is the one away from 0, and with ties: "even" the one with an even ' +
    "digit. The stored float decides: 1.005 is a little less than it is written. Negative digits are " +
    "tens and hundreds. Whole numbers stay whole, and one that does not fit in 64 bits then is an " +
    "error, and null with orNull().",
  differs: [
    'Polars, pandas: 2.5.round() is 2, as ties: "even" here',
    "DuckDB, Polars, pandas: 2.675.round(2) is 2.68, though 2.675 is stored as a little less",
    "JavaScript: Math.round(-2.5) is -2",
  ],
  examples: [
    { input: 2.5, result: 3 },
    { input: -2.5, result: -3 },
    { input: 2.5, args: [0, { ties: "even" }], result: 2 },
    { input: 2.675, args: [2], result: 2.67 },
    { input: 1250, args: [-2], result: 1300n },
  ],
  check: problemOf,
  overloads: {
    i64: overload({
      ...I64,
      consts: (args) => ({ addOverflows, ...placesOf(args) }),
      refusal: (call, value) => `${call} does not fit in int64: ${value}`,
      row(value, { unit, even, addOverflows }) {
        if (unit === 1n) return value;
        const rest = value % unit;
        const size = rest < 0n ? -rest : rest;
        const half = unit / 2n;
        let isUp = size > half;
        if (size === half) isUp = even === 0 || ((value - rest) / unit) % 2n !== 0n;
        if (!isUp) return value - rest;
        const step = value < 0n ? size - unit : unit - size;
        return addOverflows(value, step) ? null : value + step;
      },
    }),
    u64: overload({
      ...U64,
      consts: (args) => ({ addOverflowsU, modU, ...placesOf(args) }),
      refusal: (call, value) => `${call} does not fit in uint64: ${value}`,
      row(value, { unit, even, addOverflowsU, modU }) {
        if (unit === 1n) return value;
        const rest = modU(value, unit);
        const half = unit / 2n;
        let isUp = rest > half;
        if (rest === half) isUp = even === 0 || modU(value - rest, unit * 2n) !== 0n;
        if (!isUp) return value - rest;
        return addOverflowsU(value, unit - rest) ? null : value + (unit - rest);
      },
    }),
    f64: overload({
      ...F64,
      consts: (args) => ({ toPlaces, toUnits, ...placesOf(args) }),
      row(value, { digits, scale, even, toPlaces, toUnits }) {
        if (digits < 0) return toUnits(value, scale, even === 1);
        return toPlaces(value, scale, even === 1);
      },
    }),
    f32: overload({
      ...F32,
      consts: (args) => ({ toPlaces, toUnits, fround, ...placesOf(args) }),
      row(value, { digits, scale, even, toPlaces, toUnits, fround }) {
        if (digits < 0) return fround(toUnits(value, scale, even === 1));
        return fround(toPlaces(value, scale, even === 1));
      },
    }),
  },
});

/** What `floor`, `ceil` and `trunc` share. A float32 that is rounded to a whole number is a float32. */
const toWhole = (
  spec: Pick<StringOpSpecBase, "name" | "summary" | "differs" | "examples">,
  compute: typeof numeric.floor,
): StringOp<[]> =>
  defineOp({
    ...spec,
    group: "numbers",
    args: {},
    details: "A whole number stays as it is, and a float a float: toInteger() makes it an integer.",
    overloads: {
      i64: overload({ ...I64, row: (value) => value }),
      u64: overload({ ...U64, row: (value) => value }),
      f64: overload({ ...F64, consts: { compute }, row: (value, { compute }) => compute(value) }),
      f32: overload({ ...F32, consts: { compute }, row: (value, { compute }) => compute(value) }),
    },
  });

/** Rounds down. */
export const floor: StringOp<[]> = toWhole({
  name: "floor",
  summary: "The greatest whole number that is not greater",
  examples: [{ input: 2.5, result: 2 }, { input: -2.5, result: -3 }],
}, numeric.floor);

/** Rounds up. */
export const ceil: StringOp<[]> = toWhole({
  name: "ceil",
  summary: "The least whole number that is not less",
  examples: [{ input: 2.5, result: 3 }, { input: -2.5, result: -2 }],
}, numeric.ceil);

/** Rounds towards 0. */
export const trunc: StringOp<[]> = toWhole({
  name: "trunc",
  summary: "The number without its decimal places",
  examples: [{ input: 2.5, result: 2 }, { input: -2.5, result: -2 }],
}, numeric.trunc);
