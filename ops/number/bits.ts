/**
 * The bits of whole numbers in 64 bits.
 *
 * @module
 */

import { defineStringOp, overload, type StringOp } from "../string/define/define_string_op.ts";
import type { Value } from "../syntax/expr_base.ts";

const I64 = { subject: "i64", args: { other: "i64" }, returns: "i64" } as const;
const U64 = { subject: "u64", args: { other: "u64" }, returns: "u64" } as const;

const BITS = {
  group: "numbers",
  args: { other: "same" },
  accepts: { other: "integer" },
  result: "integer",
} as const;

const WIDTH = "Whole numbers of any width are computed as int64, or as uint64.";

/** Returns the bits that two numbers share. */
export const bitAnd: StringOp<[other: Value]> = defineStringOp({
  ...BITS,
  name: "bitAnd",
  operator: "&",
  summary: "The bits that two whole numbers share",
  details: `${WIDTH} & binds less tightly than ==: write (a & b) == c.`,
  examples: [
    { input: 12, args: [10], result: 8n },
    { input: -1, args: [255], result: 255n },
  ],
  overloads: {
    i64: overload({ ...I64, row: (a, { other }) => a & other }),
    u64: overload({ ...U64, row: (a, { other }) => a & other }),
  },
});

/** Returns the bits that at least one of two numbers has. */
export const bitOr: StringOp<[other: Value]> = defineStringOp({
  ...BITS,
  name: "bitOr",
  operator: "|",
  summary: "The bits that at least one of two whole numbers has",
  details: `${WIDTH} | binds less tightly than ==: write (a | b) == c.`,
  examples: [
    { input: 12, args: [10], result: 14n },
    { input: -2, args: [1], result: -1n },
  ],
  overloads: {
    i64: overload({ ...I64, row: (a, { other }) => a | other }),
    u64: overload({ ...U64, row: (a, { other }) => a | other }),
  },
});

/** Returns the bits that exactly one of two numbers has. */
export const bitXor: StringOp<[other: Value]> = defineStringOp({
  ...BITS,
  name: "bitXor",
  summary: "The bits that exactly one of two whole numbers has",
  details: WIDTH,
  differs: ["JavaScript, Python: written ^, which is the power in DuckDB and Postgres"],
  examples: [
    { input: 12, args: [10], result: 6n },
    { input: 5, args: [5], result: 0n },
  ],
  overloads: {
    i64: overload({ ...I64, row: (a, { other }) => a ^ other }),
    u64: overload({ ...U64, row: (a, { other }) => a ^ other }),
  },
});

/** Returns the bits that a number does not have. */
export const bitNot: StringOp<[]> = defineStringOp({
  name: "bitNot",
  operator: "~",
  group: "numbers",
  result: "integer",
  args: {},
  summary: "The bits that a whole number does not have",
  details: WIDTH,
  examples: [{ input: 5, result: -6n }, { input: -1, result: 0n }],
  overloads: {
    i64: overload({ subject: "i64", returns: "i64", row: (a) => ~a }),
    u64: overload({ subject: "u64", returns: "u64", row: (a) => ~a }),
  },
});

const noShift = (operator: string, type: string) => (call: string, a: string, b: string) =>
  `${call} has no value in ${type}: ${a} ${operator} ${b}`;

const SHIFT = { ...BITS, isStrict: () => true } as const;

/** Shifts bits to the left. */
export const shiftLeft: StringOp<[other: Value]> = defineStringOp({
  ...SHIFT,
  name: "shiftLeft",
  operator: "<<",
  summary: "The number multiplied by a power of two",
  details: "By 0 to 63 bits; what does not fit in 64 bits is an error, and null with orNull().",
  differs: ["JavaScript: shifts 32 bits, and drops what does not fit"],
  examples: [
    { input: 5, args: [2], result: 20n },
    { input: -1, args: [63], result: -(2n ** 63n) },
  ],
  overloads: {
    i64: overload({
      ...I64,
      refusal: noShift("<<", "int64"),
      row(a, { other }) {
        if (other < 0n || other > 63n) return null;
        const shifted = a << other;
        return (shifted >> other) === a ? shifted : null;
      },
    }),
    u64: overload({
      ...U64,
      refusal: noShift("<<", "uint64"),
      row(a, { other }) {
        if (other < 0n || other > 63n) return null;
        if (other === 0n) return a;
        const shifted = a << other;
        // The bits that come back, without the copies of the highest one.
        const mask = (1n << (64n - other)) - 1n;
        return ((shifted >> other) & mask) === a ? shifted : null;
      },
    }),
  },
});

/** Shifts bits to the right. */
export const shiftRight: StringOp<[other: Value]> = defineStringOp({
  ...SHIFT,
  name: "shiftRight",
  operator: ">>",
  summary: "The number divided by a power of two, rounded down",
  details: "By 0 to 63 bits; any other count is an error, and null with orNull().",
  differs: ["JavaScript: shifts 32 bits"],
  examples: [
    { input: -5, args: [1], result: -3n },
    { input: 1024, args: [3], result: 128n },
  ],
  overloads: {
    i64: overload({
      ...I64,
      refusal: noShift(">>", "int64"),
      row: (a, { other }) => other < 0n || other > 63n ? null : a >> other,
    }),
    u64: overload({
      ...U64,
      refusal: noShift(">>", "uint64"),
      row(a, { other }) {
        if (other < 0n || other > 63n) return null;
        if (other === 0n) return a;
        return (a >> other) & ((1n << (64n - other)) - 1n);
      },
    }),
  },
});
