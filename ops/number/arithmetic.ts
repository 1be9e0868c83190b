/**
 * The arithmetic of numbers. Whole numbers are computed exactly in 64 bits, or fail; floats are those of
 * IEEE 754, and never fail.
 *
 * @module
 */

import { Float32 } from "apache-arrow";
import { numeric } from "../../gpu/kernel/fold/numeric.ts";
import type { Value } from "../syntax/expr_base.ts";
import { defineStringOp, overload, type StringOp } from "../string/define/define_string_op.ts";
import { doesNotFit } from "./refusals.ts";

const {
  addOverflows,
  addOverflowsU,
  fround,
  mulOverflows,
  mulOverflowsU,
  subOverflows,
  subOverflowsU,
} = numeric;

/** A row function of two numbers of a type. */
const I64 = { subject: "i64", args: { other: "i64" }, returns: "i64" } as const;
const U64 = { subject: "u64", args: { other: "u64" }, returns: "u64" } as const;
const F64 = { subject: "f64", args: { other: "f64" }, returns: "f64" } as const;
const F32 = { ...F64, gives: new Float32() } as const;

/** The part of the definition that all arithmetic shares. */
const ARITHMETIC = {
  group: "numbers",
  args: { other: "same" },
  accepts: { other: "number" },
  result: "number",
  isStrict: () => true,
} as const;

const TIMES = "Decimals, dates, times and durations: see docs/expressions.md.";

const WHOLE =
  "Whole numbers of any width give int64, and uint64 where both are without a sign and one " +
  "is uint64; where the result does not fit, it is an error, and null with orNull(). A float beside " +
  "any number gives float64, and float32 beside float32, or beside a literal that float32 holds, " +
  "float32.";

/** Adds numbers, or joins texts. */
export const add: StringOp<[other: Value]> = defineStringOp({
  ...ARITHMETIC,
  name: "add",
  operator: "+",
  accepts: { other: "number or string" },
  result: "number or string",
  summary: "The sum of two numbers, or two texts joined; a date or a time moved by a duration",
  details: `${WHOLE} Null where an operand is null. ${TIMES}`,
  differs: [
    "JavaScript: a number beside a text is an error, not text",
    "DuckDB: texts are joined by ||; TINYINT + TINYINT is a TINYINT",
    "Polars: a sum that does not fit wraps",
    'DuckDB: a date + 1 is the next day; plus(1, "day") here',
  ],
  examples: [
    { input: 40, args: [2], result: 42n },
    { input: 0.5, args: [1], result: 1.5 },
    { input: "Ada", args: [" Lovelace"], result: "Ada Lovelace" },
  ],
  overloads: {
    i64: overload({
      ...I64,
      consts: { addOverflows },
      refusal: doesNotFit("+", "int64"),
      row: (a, { other, addOverflows }) => addOverflows(a, other) ? null : a + other,
    }),
    u64: overload({
      ...U64,
      consts: { addOverflowsU },
      refusal: doesNotFit("+", "uint64"),
      row: (a, { other, addOverflowsU }) => addOverflowsU(a, other) ? null : a + other,
    }),
    f64: overload({ ...F64, row: (a, { other }) => a + other }),
    f32: overload({ ...F32, consts: { fround }, row: (a, { other, fround }) => fround(a + other) }),
  },
});

/** Subtracts a number. */
export const sub: StringOp<[other: Value]> = defineStringOp({
  ...ARITHMETIC,
  name: "sub",
  operator: "-",
  summary: "The difference of two numbers, or the duration between two dates or times",
  details: `${WHOLE} ${TIMES}`,
  differs: [
    "Polars: a difference that does not fit wraps",
    'DuckDB: a date - a date is the number of days; since(start, "day") here',
  ],
  examples: [
    { input: 40, args: [42], result: -2n },
    { input: 0.5, args: [1], result: -0.5 },
  ],
  overloads: {
    i64: overload({
      ...I64,
      consts: { subOverflows },
      refusal: doesNotFit("-", "int64"),
      row: (a, { other, subOverflows }) => subOverflows(a, other) ? null : a - other,
    }),
    u64: overload({
      ...U64,
      consts: { subOverflowsU },
      refusal: doesNotFit("-", "uint64"),
      row: (a, { other, subOverflowsU }) => subOverflowsU(a, other) ? null : a - other,
    }),
    f64: overload({ ...F64, row: (a, { other }) => a - other }),
    f32: overload({ ...F32, consts: { fround }, row: (a, { other, fround }) => fround(a - other) }),
  },
});

/** Multiplies numbers. */
export const mul: StringOp<[other: Value]> = defineStringOp({
  ...ARITHMETIC,
  name: "mul",
  operator: "*",
  summary: "The product of two numbers, or of a duration and a number",
  details: `${WHOLE} ${TIMES}`,
  differs: [
    "DuckDB: TINYINT * TINYINT is a TINYINT",
    "Polars: a product that does not fit wraps",
  ],
  examples: [
    { input: 6, args: [7], result: 42n },
    { input: 0.5, args: [3], result: 1.5 },
  ],
  overloads: {
    i64: overload({
      ...I64,
      consts: { mulOverflows },
      refusal: doesNotFit("*", "int64"),
      row: (a, { other, mulOverflows }) => mulOverflows(a, other) ? null : a * other,
    }),
    u64: overload({
      ...U64,
      consts: { mulOverflowsU },
      refusal: doesNotFit("*", "uint64"),
      row: (a, { other, mulOverflowsU }) => mulOverflowsU(a, other) ? null : a * other,
    }),
    f64: overload({ ...F64, row: (a, { other }) => a * other }),
    f32: overload({ ...F32, consts: { fround }, row: (a, { other, fround }) => fround(a * other) }),
  },
});

/** Divides a number by another, as floats. */
export const div: StringOp<[other: Value]> = defineStringOp({
  ...ARITHMETIC,
  name: "div",
  operator: "/",
  isStrict: () => false,
  summary: "The quotient of two numbers as a float",
  details:
    "Whole numbers are divided as float64; floorDiv() rounds the quotient down. float32 by float32, or " +
    "by a literal that float32 holds, is float32. A division by 0 gives an infinity, or NaN for 0 / 0. " +
    TIMES,
  differs: ["SQL, Arrow: int / int is truncated to an integer; not in DuckDB and Polars"],
  examples: [
    { input: 7, args: [2], result: 3.5 },
    { input: 1, args: [0], result: Infinity },
  ],
  overloads: {
    f64: overload({ ...F64, row: (a, { other }) => a / other }),
    f32: overload({ ...F32, consts: { fround }, row: (a, { other, fround }) => fround(a / other) }),
  },
});

/** Changes the sign of a number. */
export const neg: StringOp<[]> = defineStringOp({
  name: "neg",
  operator: "-",
  group: "numbers",
  result: "number",
  isStrict: () => true,
  summary: "The number with the other sign",
  details: "Whole numbers give int64, floats their own type. The least int64 has no other sign.",
  differs: ["Polars: -(-128) of int8 is -128"],
  examples: [
    { input: 5, result: -5n },
    { input: 2.5, result: -2.5 },
  ],
  args: {},
  overloads: {
    i64: overload({
      subject: "i64",
      returns: "i64",
      consts: { subOverflows },
      refusal: (call, a) => `${call} does not fit in int64: -(${a})`,
      row: (a, { subOverflows }) => subOverflows(0n, a) ? null : -a,
    }),
    u64: overload({
      subject: "u64",
      returns: "i64",
      refusal: (call, a) => `${call} does not fit in int64: -${a}`,
      // From 2^63 on the bits are those of a negative number, and 2^63 is the least of them.
      row: (a) => a < 0n && a !== -a ? null : -a,
    }),
    f64: overload({ subject: "f64", returns: "f64", row: (a) => -a }),
    f32: overload({
      subject: "f64",
      returns: "f64",
      gives: new Float32(),
      row: (a) => -a,
    }),
  },
});
