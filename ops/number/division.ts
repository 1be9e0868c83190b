/**
 * Remainders and whole quotients. A whole number has none for the divisor 0; for floats it is NaN, or an
 * infinity.
 *
 * @module
 */

import { Float32 } from "apache-arrow";
import { numeric } from "../../gpu/kernel/fold/numeric.ts";
import { defineHelper } from "../../gpu/kernel/fold/define_helper.ts";
import { defineStringOp, overload, type StringOp } from "../string/define/define_string_op.ts";
import type { Value } from "../syntax/expr_base.ts";
import type { CallArgs } from "../syntax/overload.ts";

const { abs, divU, floor, fround, modU } = numeric;

/** Refuses a literal divisor 0 of whole numbers. */
const check = ({ other }: CallArgs) =>
  other === 0 || other === 0n ? "a whole number cannot be divided by 0" : undefined;

const I64 = { subject: "i64", args: { other: "i64" }, returns: "i64", check } as const;
const U64 = { subject: "u64", args: { other: "u64" }, returns: "u64", check } as const;
const F64 = { subject: "f64", args: { other: "f64" }, returns: "f64" } as const;
const F32 = { ...F64, gives: new Float32() } as const;

/** The part of the definition that the operations share. */
const DIVISION = {
  group: "numbers",
  args: { other: "same" },
  accepts: { other: "number" },
  result: "number",
  isStrict: () => true,
} as const;

const ZERO = "A whole number by 0 is an error, and null with orNull(); a float by 0 gives";

/** The remainder of floats with the sign of the divisor, as that of Python. */
const floorRemainder = defineHelper({
  args: ["f64", "f64"],
  returns: "f64",
  consts: { abs },
  row(a, b, { abs }) {
    const rest = a % b;
    if (rest === 0) return b < 0 ? -abs(rest) : abs(rest);
    return (rest < 0) !== (b < 0) ? rest + b : rest;
  },
});

/** The quotient that goes with `floorRemainder`, which is a whole number, as that of Python. */
const floorQuotient = defineHelper({
  args: ["f64", "f64"],
  returns: "f64",
  consts: { floor },
  row(a, b, { floor }) {
    if (b === 0) return a / b;
    const rest = a % b;
    let quotient = (a - rest) / b;
    if (rest !== 0 && (rest < 0) !== (b < 0)) quotient = quotient - 1;
    if (quotient === 0) return 0 * (a / b);
    const down = floor(quotient);
    return quotient - down > 0.5 ? down + 1 : down;
  },
});

const noRemainder = (sign: string) => (call: string, a: string, b: string) =>
  `${call}: ${a} ${sign} ${b} has no remainder`;

/** Returns the remainder with the sign of the dividend. */
export const rem: StringOp<[other: Value]> = defineStringOp({
  ...DIVISION,
  name: "rem",
  operator: "%",
  summary: "The remainder of a division, with the sign of the dividend",
  details: `${ZERO} NaN. The remainder of floats is exact.`,
  differs: [
    "Python, pandas, Polars: % has the sign of the divisor, as mod() here",
    "DuckDB, Polars: null for a whole number by 0",
  ],
  examples: [
    { input: -7, args: [3], result: -1n },
    { input: 7.5, args: [2], result: 1.5 },
    { input: 1.5, args: [0], result: NaN },
  ],
  overloads: {
    i64: overload({
      ...I64,
      refusal: noRemainder("%"),
      row: (a, { other }) => other === 0n ? null : a % other,
    }),
    u64: overload({
      ...U64,
      consts: { modU },
      refusal: noRemainder("%"),
      row: (a, { other, modU }) => other === 0n ? null : modU(a, other),
    }),
    f64: overload({ ...F64, row: (a, { other }) => a % other }),
    // The remainder of two float32 is a float32.
    f32: overload({ ...F32, row: (a, { other }) => a % other }),
  },
});

/** Returns the remainder with the sign of the divisor. */
export const mod: StringOp<[other: Value]> = defineStringOp({
  ...DIVISION,
  name: "mod",
  summary: "The remainder of a division, with the sign of the divisor",
  details: `${ZERO} NaN. a is floorDiv(a, b) * b + mod(a, b).`,
  differs: ["DuckDB: mod() has the sign of the dividend, as % here"],
  examples: [
    { input: -7, args: [3], result: 2n },
    { input: -7.5, args: [2], result: 0.5 },
  ],
  overloads: {
    i64: overload({
      ...I64,
      refusal: (call) => `${call} has no remainder by 0`,
      row(a, { other }) {
        if (other === 0n) return null;
        const rest = a % other;
        return rest !== 0n && (rest < 0n) !== (other < 0n) ? rest + other : rest;
      },
    }),
    u64: overload({
      ...U64,
      consts: { modU },
      refusal: (call) => `${call} has no remainder by 0`,
      row: (a, { other, modU }) => other === 0n ? null : modU(a, other),
    }),
    f64: overload({
      ...F64,
      consts: { floorRemainder },
      row: (a, { other, floorRemainder }) => floorRemainder(a, other),
    }),
    f32: overload({
      ...F32,
      consts: { floorRemainder, fround },
      row: (a, { other, floorRemainder, fround }) => fround(floorRemainder(a, other)),
    }),
  },
});

/** Returns the quotient rounded down. */
export const floorDiv: StringOp<[other: Value]> = defineStringOp({
  ...DIVISION,
  name: "floorDiv",
  summary: "The quotient rounded down to a whole number",
  details: `${ZERO} an infinity or NaN. Floats give a float.`,
  differs: [
    "DuckDB: // of integers truncates, and // of DOUBLE does not round",
    "SQL: integers are divided by / and truncated",
  ],
  examples: [
    { input: 7, args: [2], result: 3n },
    { input: -7, args: [2], result: -4n },
    { input: 7.5, args: [2], result: 3 },
  ],
  overloads: {
    i64: overload({
      ...I64,
      consts: { least: -(2n ** 63n) },
      refusal: (call, a, b) => `${call}: ${a} by ${b} has no quotient in int64`,
      row(a, { other, least }) {
        if (other === 0n || (other === -1n && a === least)) return null;
        const quotient = a / other;
        const rest = a % other;
        return rest !== 0n && (rest < 0n) !== (other < 0n) ? quotient - 1n : quotient;
      },
    }),
    u64: overload({
      ...U64,
      consts: { divU },
      refusal: (call, a, b) => `${call}: ${a} by ${b} has no quotient`,
      row: (a, { other, divU }) => other === 0n ? null : divU(a, other),
    }),
    f64: overload({
      ...F64,
      consts: { floorQuotient },
      row: (a, { other, floorQuotient }) => floorQuotient(a, other),
    }),
    f32: overload({
      ...F32,
      consts: { floorQuotient, fround },
      row: (a, { other, floorQuotient, fround }) => fround(floorQuotient(a, other)),
    }),
  },
});
