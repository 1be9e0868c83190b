/**
 * The power of numbers.
 *
 * @module
 */

import { Float32 } from "apache-arrow";
import { numeric } from "../../gpu/kernel/fold/numeric.ts";
import { defineStringOp, overload, type StringOp } from "../string/define/define_string_op.ts";
import type { Value } from "../syntax/expr_base.ts";
import { doesNotFit } from "./refusals.ts";

const { fround, mulOverflows, mulOverflowsU, pow: power } = numeric;

const F64 = { subject: "f64", args: { exponent: "f64" }, returns: "f64" } as const;

/** Raises a number to a power. */
export const pow: StringOp<[exponent: Value]> = defineStringOp({
  name: "pow",
  operator: "**",
  group: "numbers",
  args: { exponent: "same" },
  accepts: { exponent: "number" },
  result: "number",
  isStrict: () => true,
  asFloat({ exponent }) {
    const isWhole = typeof exponent === "bigint" || Number.isInteger(exponent);
    return !isWhole || (exponent as bigint | number) < 0;
  },
  summary: "The power of a number",
  details:
    "A whole number to a literal whole exponent that is not negative is an int64, computed exactly; " +
    "where it does not fit, it is an error, and null with orNull(). All other powers are floats, with " +
    "the last digit that JavaScript's ** gives. -a ** b needs brackets.",
  differs: [
    "DuckDB: a DOUBLE, and ^ is the same operator",
    "Polars: a power that does not fit wraps",
  ],
  examples: [
    { input: 3, args: [4], result: 81n },
    { input: 2, args: [-1], result: 0.5 },
    { input: 2.25, args: [0.5], result: 1.5 },
  ],
  overloads: {
    i64: overload({
      subject: "i64",
      args: { exponent: "i64" },
      returns: "i64",
      consts: { mulOverflows },
      refusal: doesNotFit("**", "int64"),
      row(a, { exponent, mulOverflows }) {
        let result = 1n;
        let factor = a;
        let rest = exponent;
        while (rest > 0n) {
          if ((rest & 1n) !== 0n) {
            if (mulOverflows(result, factor)) return null;
            result = result * factor;
          }
          rest = rest >> 1n;
          if (rest > 0n) {
            // Its highest bit is still to come, so this square becomes a factor.
            if (mulOverflows(factor, factor)) return null;
            factor = factor * factor;
          }
        }
        return result;
      },
    }),
    u64: overload({
      subject: "u64",
      args: { exponent: "u64" },
      returns: "u64",
      consts: { mulOverflowsU },
      refusal: doesNotFit("**", "uint64"),
      row(a, { exponent, mulOverflowsU }) {
        let result = 1n;
        let factor = a;
        let rest = exponent;
        while (rest !== 0n) {
          if ((rest & 1n) !== 0n) {
            if (mulOverflowsU(result, factor)) return null;
            result = result * factor;
          }
          rest = (rest >> 1n) & 0x7fffffffffffffffn;
          if (rest !== 0n) {
            if (mulOverflowsU(factor, factor)) return null;
            factor = factor * factor;
          }
        }
        return result;
      },
    }),
    f64: overload({
      ...F64,
      consts: { power },
      row: (a, { exponent, power }) => power(a, exponent),
    }),
    f32: overload({
      ...{ ...F64, gives: new Float32() },
      consts: { power, fround },
      row: (a, { exponent, power, fround }) => fround(power(a, exponent)),
    }),
  },
});
