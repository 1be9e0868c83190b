/**
 * The row functions of operators on dates, times and durations. Each takes counts of units, and factors
 * that make both counts of one unit.
 *
 * @module
 */

import { numeric } from "../../gpu/kernel/fold/numeric.ts";
import { defineHelper } from "../../gpu/kernel/fold/define_helper.ts";
import type { CallArgs } from "../syntax/overload.ts";
import type { StringOp } from "../syntax/node.ts";
import { defineStringOp, overload } from "../string/define/define_string_op.ts";

const { abs, addOverflows, mulOverflows, subOverflows, toF64, toI64, trunc } = numeric;

/** The factors for the units of both counts, and for a time of a day the length of a day. */
const factorsOf = ({ left = 1, right = 1, day = 0 }: CallArgs) => ({
  left: BigInt(left as number),
  right: BigInt(right as number),
  day: BigInt(day as number),
});

const COUNTS = { subject: "i64", args: { other: "i64" }, returns: "i64" } as const;

/** An internal operation, whose row functions binding asks for by their keys. */
const INTERNAL = {
  args: { other: "any", left: "literal", right: "literal", day: "literal" },
  optional: ["left", "right", "day"],
  choose: () => undefined,
} as const;

/** The row functions of `a + b`: of one unit, of two, and of a time of a day. */
export const timeSum: StringOp = defineStringOp({
  ...INTERNAL,
  name: "add",
  overloads: {
    plain: overload({
      ...COUNTS,
      consts: { addOverflows },
      row: (a, { other, addOverflows }) => addOverflows(a, other) ? null : a + other,
    }),
    scaled: overload({
      ...COUNTS,
      consts: (args) => ({ mulOverflows, addOverflows, ...factorsOf(args) }),
      row(a, { other, left, right, mulOverflows, addOverflows }) {
        if (mulOverflows(a, left) || mulOverflows(other, right)) return null;
        const from = a * left;
        const by = other * right;
        return addOverflows(from, by) ? null : from + by;
      },
    }),
    time: overload({
      ...COUNTS,
      consts: (args) => ({ mulOverflows, addOverflows, ...factorsOf(args) }),
      row(a, { other, left, right, day, mulOverflows, addOverflows }) {
        if (mulOverflows(a, left) || mulOverflows(other, right)) return null;
        const from = a * left;
        const by = other * right;
        if (addOverflows(from, by)) return null;
        const moved = from + by;
        return moved < 0n || moved >= day ? null : moved;
      },
    }),
  },
});

/** The row functions of `a - b`, as those of `timeSum`. */
export const timeDifference: StringOp = defineStringOp({
  ...INTERNAL,
  name: "sub",
  overloads: {
    plain: overload({
      ...COUNTS,
      consts: { subOverflows },
      row: (a, { other, subOverflows }) => subOverflows(a, other) ? null : a - other,
    }),
    scaled: overload({
      ...COUNTS,
      consts: (args) => ({ mulOverflows, subOverflows, ...factorsOf(args) }),
      row(a, { other, left, right, mulOverflows, subOverflows }) {
        if (mulOverflows(a, left) || mulOverflows(other, right)) return null;
        const to = a * left;
        const from = other * right;
        return subOverflows(to, from) ? null : to - from;
      },
    }),
    time: overload({
      ...COUNTS,
      consts: (args) => ({ mulOverflows, subOverflows, ...factorsOf(args) }),
      row(a, { other, left, right, day, mulOverflows, subOverflows }) {
        if (mulOverflows(a, left) || mulOverflows(other, right)) return null;
        const from = a * left;
        const by = other * right;
        if (subOverflows(from, by)) return null;
        const moved = from - by;
        return moved < 0n || moved >= day ? null : moved;
      },
    }),
  },
});

/** Returns the nearest whole number to a float, of two that are as near the one away from 0. */
const nearestAway = defineHelper({
  args: ["f64"],
  returns: "f64",
  consts: { abs, trunc },
  row(value, { abs, trunc }) {
    const whole = trunc(value);
    if (abs(value - whole) < 0.5) return whole;
    return value < 0 ? whole - 1 : whole + 1;
  },
});

/** A row function of a duration and a float; null where the result is no count of 64 bits. */
const BY_FLOAT = { subject: "i64", args: { other: "f64" }, returns: "i64" } as const;
const ROUNDED = { nearestAway, toF64, toI64, limit: 2 ** 63 } as const;

/** The row functions of a duration times a number. */
export const timeProduct: StringOp = defineStringOp({
  ...INTERNAL,
  name: "mul",
  overloads: {
    whole: overload({
      ...COUNTS,
      consts: { mulOverflows },
      row: (a, { other, mulOverflows }) => mulOverflows(a, other) ? null : a * other,
    }),
    float: overload({
      ...BY_FLOAT,
      consts: ROUNDED,
      row(a, { other, nearestAway, toF64, toI64, limit }) {
        const product = nearestAway(toF64(a) * other);
        // NaN is not less than the limit.
        return product >= -limit && product < limit ? toI64(product) : null;
      },
    }),
  },
});

/** The row functions of a duration by a number, and by a duration. */
export const timeQuotient: StringOp = defineStringOp({
  ...INTERNAL,
  name: "div",
  overloads: {
    whole: overload({
      ...COUNTS,
      consts: { least: -(2n ** 63n) },
      row(a, { other, least }) {
        if (other === 0n || (other === -1n && a === least)) return null;
        const quotient = a / other;
        const rest = a % other;
        // Half of the divisor is compared without doubling the rest, which may not fit.
        const left = rest < 0n ? rest : -rest;
        const most = other < 0n ? other : -other;
        if (left > most - left) return quotient;
        return (a < 0n) === (other < 0n) ? quotient + 1n : quotient - 1n;
      },
    }),
    float: overload({
      ...BY_FLOAT,
      consts: ROUNDED,
      row(a, { other, nearestAway, toF64, toI64, limit }) {
        const quotient = nearestAway(toF64(a) / other);
        return quotient >= -limit && quotient < limit ? toI64(quotient) : null;
      },
    }),
    lengths: overload({
      subject: "i64",
      args: { other: "i64" },
      returns: "f64",
      consts: (args) => ({ mulOverflows, toF64, ...factorsOf(args) }),
      row(a, { other, left, right, mulOverflows, toF64 }) {
        if (mulOverflows(a, left) || mulOverflows(other, right)) return null;
        return toF64(a * left) / toF64(other * right);
      },
    }),
  },
});

/** The row function of the negation of a duration. */
export const timeNegation: StringOp = defineStringOp({
  ...INTERNAL,
  name: "neg",
  args: {},
  optional: [],
  overloads: {
    plain: overload({
      subject: "i64",
      returns: "i64",
      consts: { subOverflows },
      row: (a, { subOverflows }) => subOverflows(0n, a) ? null : -a,
    }),
  },
});
