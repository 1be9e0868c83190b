/**
 * Operations that test floats for NaN and the infinities, and replace NaN.
 *
 * @module
 */

import { defineOp, overload, type StringOp } from "../string/define/define_string_op.ts";
import type { Value } from "../syntax/expr_base.ts";
import { argumentNode, callNode } from "../syntax/call_node.ts";
import { literalNode } from "../syntax/literal.ts";

const TEST = { subject: "f64", returns: "bool" } as const;

/** Whether a number is NaN. */
export const isNaN: StringOp<[]> = defineOp({
  name: "isNaN",
  group: "numbers",
  args: {},
  summary: "Whether the number is NaN",
  details: "A whole number is not, and null is null.",
  differs: ['JavaScript: isNaN("a") is true; here it takes numbers', "pandas: isna() is isNull()"],
  examples: [{ input: NaN, result: true }, { input: 1.5, result: false }],
  overloads: {
    i64: overload({ subject: "i64", returns: "bool", row: () => false }),
    f64: overload({ ...TEST, row: (value) => value !== value }),
  },
});

/** Whether a number is neither NaN nor an infinity. */
export const isFinite: StringOp<[]> = defineOp({
  name: "isFinite",
  group: "numbers",
  args: {},
  summary: "Whether the number is neither NaN nor an infinity",
  details: "Every whole number is finite, and null is null.",
  examples: [{ input: 1.5, result: true }, { input: -Infinity, result: false }],
  overloads: {
    i64: overload({ subject: "i64", returns: "bool", row: () => true }),
    f64: overload({ ...TEST, row: (value) => value - value === 0 }),
  },
});

/** Replaces NaN. */
export const fillNaN: StringOp<[other: Value]> = defineOp({
  name: "fillNaN",
  group: "numbers",
  args: { other: "any" },
  accepts: { other: "number or null" },
  result: "number",
  summary: "The number, or another one where it is NaN",
  details: "fillNaN(null) makes NaN null. Nulls stay null: fillNull() replaces them.",
  differs: ["pandas: fillna() replaces NaN and nulls"],
  examples: [
    { input: NaN, args: [0], result: 0 },
    { input: 1.5, args: [0], result: 1.5 },
    { input: NaN, args: [null], result: null },
  ],
  expand: (value, { other }) => ({
    node: "choose",
    test: callNode(isNaN, value, []),
    yes: argumentNode(other) ?? literalNode(null),
    no: value,
  }),
  choose: () => undefined,
  optional: [],
  overloads: { none: overload({ subject: "i64", row: () => 0 }) },
});
