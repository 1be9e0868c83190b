/**
 * Compares numbers of two types exactly, where no type holds the values of both.
 *
 * @module
 */

import { numeric } from "../../gpu/kernel/fold/numeric.ts";
import { defineStringOp, overload, type StringOp } from "../string/define/define_string_op.ts";

const { toF64, toF64U, toI64 } = numeric;

/**
 * Returns -1, 0 or 1. NaN is greater than every number. An integer is rounded to a float first; where
 * both are equal then, the float is a whole number, and is compared as an integer.
 *
 * @internal
 */
export const compareNumbers: StringOp = defineStringOp({
  name: "compareNumbers",
  args: {},
  choose: () => undefined,
  overloads: {
    "i64 f64": overload({
      subject: "i64",
      args: { other: "f64" },
      consts: { toF64, toI64, end: 2 ** 63 },
      row(value, { other, toF64, toI64, end }) {
        if (other !== other) return -1;
        const rounded = toF64(value);
        if (rounded < other) return -1;
        if (rounded > other) return 1;
        if (other >= end) return -1;
        const whole = toI64(other);
        return value < whole ? -1 : value > whole ? 1 : 0;
      },
    }),
    "u64 f64": overload({
      subject: "u64",
      args: { other: "f64" },
      consts: { toF64U, toI64, half: 2 ** 63, least: -(2n ** 63n), end: 2 ** 64 },
      row(value, { other, toF64U, toI64, half, least, end }) {
        if (other !== other) return -1;
        const rounded = toF64U(value);
        if (rounded < other) return -1;
        if (rounded > other) return 1;
        if (other >= end) return -1;
        // Both minus 2^63, which order as integers with a sign do.
        const whole = other < half ? toI64(other) + least : toI64(other - half);
        const moved = value + least;
        return moved < whole ? -1 : moved > whole ? 1 : 0;
      },
    }),
    "i64 u64": overload({
      subject: "i64",
      args: { other: "u64" },
      row(value, { other }) {
        if (value < 0n || other < 0n) return -1;
        return value < other ? -1 : value > other ? 1 : 0;
      },
    }),
  },
});
