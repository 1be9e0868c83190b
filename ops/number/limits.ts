/**
 * The size and the sign of numbers, and the greatest and the least of several values.
 *
 * @module
 */

import { Float32 } from "apache-arrow";
import { numeric } from "../../gpu/kernel/fold/numeric.ts";
import { defineOp, overload, type StringOp } from "../string/define/define_string_op.ts";
import { argumentNode, callNode } from "../syntax/call_node.ts";
import type { Value } from "../syntax/expr_base.ts";
import type { ExprNode } from "../syntax/node.ts";
import type { CallArgs } from "../syntax/overload.ts";

const F64 = { subject: "f64", returns: "f64" } as const;
const F32 = { ...F64, gives: new Float32() } as const;

/** The absolute value. */
export const abs: StringOp<[]> = defineOp({
  name: "abs",
  group: "numbers",
  args: {},
  isStrict: () => true,
  summary: "The number without its sign",
  details: "The least int64 has no absolute value: an error, and null with orNull().",
  differs: ["Polars, pandas: the least integer stays negative"],
  examples: [{ input: -5, result: 5n }, { input: -2.5, result: 2.5 }],
  overloads: {
    i64: overload({
      subject: "i64",
      returns: "i64",
      consts: { least: -(2n ** 63n) },
      refusal: (call, value) => `${call} does not fit in int64: ${value}`,
      row: (value, { least }) => value === least ? null : value < 0n ? -value : value,
    }),
    u64: overload({ subject: "u64", returns: "u64", row: (value) => value }),
    f64: overload({
      ...F64,
      consts: { size: numeric.abs },
      row: (value, { size }) => size(value),
    }),
    f32: overload({
      ...F32,
      consts: { size: numeric.abs },
      row: (value, { size }) => size(value),
    }),
  },
});

/** The sign. */
export const sign: StringOp<[]> = defineOp({
  name: "sign",
  group: "numbers",
  args: {},
  summary: "-1 for a number below 0, 1 for one above, else 0",
  details: "A float gives a float, and NaN is NaN.",
  differs: ["DuckDB: a TINYINT, and 0 for NaN"],
  examples: [{ input: -5, result: -1 }, { input: 2.5, result: 1 }, { input: NaN, result: NaN }],
  overloads: {
    i64: overload({ subject: "i64", row: (value) => value < 0n ? -1 : value === 0n ? 0 : 1 }),
    u64: overload({ subject: "u64", row: (value) => value === 0n ? 0 : 1 }),
    f64: overload({ ...F64, row: (value) => value > 0 ? 1 : value < 0 ? -1 : value }),
    f32: overload({ ...F32, row: (value) => value > 0 ? 1 : value < 0 ? -1 : value }),
  },
});

const BOUND = { args: { bound: "same" } } as const;
const I64_BOUND = { subject: "i64", args: { bound: "i64" }, returns: "i64" } as const;
const U64_BOUND = { subject: "u64", args: { bound: "u64" }, returns: "u64" } as const;
const F64_BOUND = { ...F64, args: { bound: "f64" } } as const;
const F32_BOUND = { ...F64_BOUND, gives: new Float32() } as const;
const { lessU } = numeric;

/**
 * Returns the number, or the bound if it is greater. NaN stays NaN.
 *
 * @internal
 */
export const atLeast: StringOp<[bound: Value]> = defineOp({
  ...BOUND,
  name: "clamp",
  overloads: {
    i64: overload({ ...I64_BOUND, row: (value, { bound }) => value < bound ? bound : value }),
    u64: overload({
      ...U64_BOUND,
      consts: { lessU },
      row: (value, { bound, lessU }) => lessU(value, bound) ? bound : value,
    }),
    f64: overload({ ...F64_BOUND, row: (value, { bound }) => value < bound ? bound : value }),
    f32: overload({ ...F32_BOUND, row: (value, { bound }) => value < bound ? bound : value }),
  },
});

/**
 * Returns the number, or the bound if it is less. NaN stays NaN.
 *
 * @internal
 */
export const atMost: StringOp<[bound: Value]> = defineOp({
  ...BOUND,
  name: "clamp",
  overloads: {
    i64: overload({ ...I64_BOUND, row: (value, { bound }) => value > bound ? bound : value }),
    u64: overload({
      ...U64_BOUND,
      consts: { lessU },
      row: (value, { bound, lessU }) => lessU(bound, value) ? bound : value,
    }),
    f64: overload({ ...F64_BOUND, row: (value, { bound }) => value > bound ? bound : value }),
    f32: overload({ ...F32_BOUND, row: (value, { bound }) => value > bound ? bound : value }),
  },
});

/** Limits a number to a range. */
export const clamp: StringOp<[low?: Value, high?: Value]> = defineOp({
  name: "clamp",
  group: "numbers",
  args: { low: "any", high: "any" },
  optional: ["low", "high"],
  accepts: { low: "number", high: "number" },
  summary: "The number, but not less than low and not greater than high",
  details: "Without low or high it has no such limit. A limit that is null in a row makes it null.",
  differs: ["DuckDB: least(greatest(x, low), high), where NaN is high; here NaN stays NaN"],
  examples: [
    { input: 120, args: [0, 100], result: 100n },
    { input: -0.5, args: [0], result: 0 },
    { input: 7, args: [{ high: 5 }], result: 5n },
  ],
  check({ low, high }) {
    if (low === undefined && high === undefined) return "low, high or both are needed";
    const isCrossed = isNumber(low) && isNumber(high) && low > high;
    return isCrossed ? `low (${low}) is greater than high (${high})` : undefined;
  },
  expand(value, { low, high }) {
    const [least, most] = [argumentNode(low), argumentNode(high)];
    const raised = least === undefined ? value : callNode(atLeast, value, [least]);
    return most === undefined ? raised : callNode(atMost, raised, [most]);
  },
  choose: () => undefined,
  overloads: atLeast.overloads,
});

function isNumber(value: CallArgs[string]): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

/** The names of the values besides the first. */
const OTHERS = ["second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"] as const;

/** What `greatest` and `least` share. */
const SEVERAL = {
  group: "choose",
  args: Object.fromEntries(OTHERS.map((name) => [name, "any"])) as Record<string, "any">,
  accepts: Object.fromEntries(OTHERS.map((name) => [name, "value"])),
  optional: OTHERS.slice(1),
  result: "type of the values",
  choose: () => undefined,
  overloads: { none: overload({ subject: "i64", row: () => 0 }) },
} as const;

/** A value, and up to seven more. */
type Several = [second: Value, ...others: Value[]];

/**
 * Returns the first value if it is not null, and nothing else is beyond it; else the same of the
 * others.
 *
 * @internal
 */
export function outermost(op: ">=" | "<=", [first, ...others]: readonly ExprNode[]): ExprNode {
  if (first === undefined || others.length === 0) return first!;
  const test = others.map((other): ExprNode => ({
    node: "or",
    left: { node: "isNull", value: other },
    right: { node: "compare", op, left: first, right: other },
  })).reduce((left, right) => ({ node: "and", left, right }));
  return { node: "choose", test, yes: first, no: outermost(op, others) };
}

/** Returns the values that may count: a null literal does not. */
const valuesOf = (first: ExprNode, args: CallArgs) => [
  first,
  ...Object.values(args).flatMap((arg) => arg === null ? [] : argumentNode(arg) ?? []),
];

/** The greatest of several values. */
export const greatest: StringOp<Several> = defineOp({
  ...SEVERAL,
  name: "greatest",
  summary: "The greatest of two to eight values",
  details:
    "Numbers, or text, dates or times of one type; an integer beside a float gives float64. Nulls do not " +
    "count, and NaN is the greatest, as in all comparisons.",
  differs: [
    "Polars: max_horizontal() leaves NaN out",
    "Snowflake, BigQuery: null where one is null",
  ],
  examples: [
    { input: 3, args: [7, 5], result: 7 },
    { input: 3, args: [null], result: 3 },
  ],
  expand: (first, args) => outermost(">=", valuesOf(first, args)),
});

/** The least of several values. */
export const least: StringOp<Several> = defineOp({
  ...SEVERAL,
  name: "least",
  summary: "The least of two to eight values",
  details:
    "Numbers, or text, dates or times of one type; an integer beside a float gives float64. Nulls do not " +
    "count, and NaN is the greatest, as in all comparisons.",
  differs: [
    "Polars: min_horizontal() leaves NaN out",
    "Snowflake, BigQuery: null where one is null",
  ],
  examples: [
    { input: 3, args: [7, 5], result: 3 },
    { input: "b", args: ["a"], result: "a" },
  ],
  expand: (first, args) => outermost("<=", valuesOf(first, args)),
});
