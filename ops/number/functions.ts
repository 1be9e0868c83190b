/**
 * Roots, exponentials and logarithms of numbers, as floats. They never fail: where there is no result, it
 * is NaN or an infinity.
 *
 * @module
 */

import { Float32 } from "apache-arrow";
import { numeric } from "../../gpu/kernel/fold/numeric.ts";
import { defineOp, overload, type StringOp } from "../string/define/define_string_op.ts";
import { callNode } from "../syntax/call_node.ts";
import type { Value } from "../syntax/expr_base.ts";
import { floatFunction } from "./float_function.ts";

const ERRORS = "DuckDB: an error for 0 and below";

/** The square root. */
export const sqrt: StringOp<[]> = floatFunction({
  name: "sqrt",
  summary: "The square root",
  details: "NaN below 0.",
  differs: ["DuckDB: an error below 0"],
  examples: [{ input: 9, result: 3 }, { input: -1, result: NaN }],
}, numeric.sqrt);

/** The cube root. */
export const cbrt: StringOp<[]> = floatFunction({
  name: "cbrt",
  summary: "The cube root",
  examples: [{ input: 27, result: 3 }, { input: -8, result: -2 }],
}, numeric.cbrt);

/** The exponential function. */
export const exp: StringOp<[]> = floatFunction({
  name: "exp",
  summary: "Euler's number to the power of the number",
  examples: [{ input: 0, result: 1 }, { input: 1, result: Math.E }],
}, numeric.exp);

/** The natural logarithm. */
export const ln: StringOp<[]> = floatFunction({
  name: "ln",
  summary: "The natural logarithm",
  details: "-Infinity for 0, and NaN below.",
  differs: [ERRORS, "JavaScript, pandas, Polars: called log()"],
  examples: [{ input: 1, result: 0 }, { input: 0, result: -Infinity }],
}, numeric.ln);

/** The logarithm to base 10. */
export const log10: StringOp<[]> = floatFunction({
  name: "log10",
  summary: "The logarithm to base 10",
  details: "-Infinity for 0, and NaN below.",
  differs: [ERRORS],
  examples: [{ input: 1000, result: 3 }, { input: -1, result: NaN }],
}, numeric.log10);

/** The logarithm to base 2. */
export const log2: StringOp<[]> = floatFunction({
  name: "log2",
  summary: "The logarithm to base 2",
  details: "-Infinity for 0, and NaN below.",
  differs: [ERRORS],
  examples: [{ input: 8, result: 3 }, { input: 0.25, result: -2 }],
}, numeric.log2);

const { fround } = numeric;
const F64 = { subject: "f64", args: { base: "f64" }, returns: "f64" } as const;

/** The logarithm to any base. */
export const log: StringOp<[base: Value]> = defineOp({
  name: "log",
  group: "numbers",
  args: { base: "same" },
  // Without a base, the error says what else there is.
  optional: ["base"],
  accepts: { base: "number" },
  summary: "The logarithm to a base",
  details:
    "The quotient of two natural logarithms; that to base 2 or 10 is log2() or log10(), which are more " +
    "exact. There is no default base, since the one of other languages differs.",
  differs: [
    "DuckDB, Postgres: log(x) is that to base 10, and log(base, x) takes the base first",
    "JavaScript, pandas: log() is the natural logarithm, ln() here",
  ],
  examples: [{ input: 8, args: [2], result: 3 }, { input: 0.5, args: [0.5], result: 1 }],
  check: ({ base }) =>
    base === undefined
      ? "the base is missing; ln() is the natural logarithm, and log10() that to base 10"
      : undefined,
  expand(text, { base }) {
    if (typeof base !== "number" && typeof base !== "bigint") return undefined;
    if (Number(base) === 2) return callNode(log2, text, []);
    return Number(base) === 10 ? callNode(log10, text, []) : undefined;
  },
  overloads: {
    f64: overload({
      ...F64,
      consts: { ln: numeric.ln },
      row: (value, { base, ln }) => ln(value) / ln(base),
    }),
    f32: overload({
      ...F64,
      gives: new Float32(),
      consts: { ln: numeric.ln, fround },
      row: (value, { base, ln, fround }) => fround(ln(value) / ln(base)),
    }),
  },
});
