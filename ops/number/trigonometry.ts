/**
 * The functions of angles, in radians.
 *
 * @module
 */

import { Float32 } from "apache-arrow";
import { numeric } from "../../gpu/kernel/fold/numeric.ts";
import { defineOp, overload, type StringOp } from "../string/define/define_string_op.ts";
import type { Value } from "../syntax/expr_base.ts";
import { floatFunction, scaledFloat } from "./float_function.ts";

/** The sine. */
export const sin: StringOp<[]> = floatFunction({
  name: "sin",
  summary: "The sine of an angle in radians",
  examples: [{ input: 0, result: 0 }, { input: Infinity, result: NaN }],
}, numeric.sin);

/** The cosine. */
export const cos: StringOp<[]> = floatFunction({
  name: "cos",
  summary: "The cosine of an angle in radians",
  examples: [{ input: 0, result: 1 }, { input: Infinity, result: NaN }],
}, numeric.cos);

/** The tangent. */
export const tan: StringOp<[]> = floatFunction({
  name: "tan",
  summary: "The tangent of an angle in radians",
  examples: [{ input: 0, result: 0 }, { input: Infinity, result: NaN }],
}, numeric.tan);

/** The arc sine. */
export const asin: StringOp<[]> = floatFunction({
  name: "asin",
  summary: "The angle in radians with a sine",
  details: "NaN beyond -1 and 1.",
  differs: ["DuckDB: an error beyond -1 and 1"],
  examples: [{ input: 1, result: Math.PI / 2 }, { input: 2, result: NaN }],
}, numeric.asin);

/** The arc cosine. */
export const acos: StringOp<[]> = floatFunction({
  name: "acos",
  summary: "The angle in radians with a cosine",
  details: "NaN beyond -1 and 1.",
  differs: ["DuckDB: an error beyond -1 and 1"],
  examples: [{ input: 1, result: 0 }, { input: 2, result: NaN }],
}, numeric.acos);

/** The arc tangent. */
export const atan: StringOp<[]> = floatFunction({
  name: "atan",
  summary: "The angle in radians with a tangent",
  examples: [{ input: 0, result: 0 }, { input: Infinity, result: Math.PI / 2 }],
}, numeric.atan);

const { fround } = numeric;
const F64 = { subject: "f64", args: { x: "f64" }, returns: "f64" } as const;

/** The angle of a point. */
export const atan2: StringOp<[x: Value]> = defineOp({
  name: "atan2",
  group: "numbers",
  args: { x: "same" },
  accepts: { x: "number" },
  summary: "The angle in radians of the point with this y and an x, from -π to π",
  examples: [
    { input: 1, args: [1], result: Math.PI / 4 },
    { input: 0, args: [-1], result: Math.PI },
  ],
  overloads: {
    f64: overload({
      ...F64,
      consts: { angle: numeric.atan2 },
      row: (y, { x, angle }) => angle(y, x),
    }),
    f32: overload({
      ...F64,
      gives: new Float32(),
      consts: { angle: numeric.atan2, fround },
      row: (y, { x, angle, fround }) => fround(angle(y, x)),
    }),
  },
});

/** Converts radians to degrees. */
export const degrees: StringOp<[]> = scaledFloat({
  name: "degrees",
  summary: "An angle in radians as degrees",
  examples: [{ input: Math.PI, result: 180 }, { input: 0, result: 0 }],
}, 180 / Math.PI);

/** Converts degrees to radians. */
export const radians: StringOp<[]> = scaledFloat({
  name: "radians",
  summary: "An angle in degrees as radians",
  examples: [{ input: 180, result: Math.PI }, { input: 0, result: 0 }],
}, Math.PI / 180);
