/**
 * Operations that are one function of a float. Whole numbers are computed as float64, and float32 gives
 * the float32 that is nearest to the float64.
 *
 * @module
 */

import { Float32 } from "apache-arrow";
import { numeric } from "../../gpu/kernel/fold/numeric.ts";
import { defineOp, overload, type StringOp } from "../string/define/define_string_op.ts";
import type { StringOpSpecBase } from "../syntax/node.ts";

/** What describes such an operation. */
export type FloatFunctionSpec = Pick<
  StringOpSpecBase,
  "name" | "summary" | "details" | "differs" | "examples"
>;

const F64 = { subject: "f64", returns: "f64" } as const;
const F32 = { ...F64, gives: new Float32() } as const;
const { fround } = numeric;

/** Defines the operation that computes a function of one float. */
export function floatFunction(
  spec: FloatFunctionSpec,
  compute: typeof numeric.sqrt,
): StringOp<[]> {
  return defineOp({
    ...spec,
    group: "numbers",
    args: {},
    overloads: {
      f64: overload({ ...F64, consts: { compute }, row: (value, { compute }) => compute(value) }),
      f32: overload({
        ...F32,
        consts: { compute, fround },
        row: (value, { compute, fround }) => fround(compute(value)),
      }),
    },
  });
}

/** Defines the operation that multiplies a float by a constant. */
export function scaledFloat(spec: FloatFunctionSpec, factor: number): StringOp<[]> {
  return defineOp({
    ...spec,
    group: "numbers",
    args: {},
    overloads: {
      f64: overload({ ...F64, consts: { factor }, row: (value, { factor }) => value * factor }),
      f32: overload({
        ...F32,
        consts: { factor, fround },
        row: (value, { factor, fround }) => fround(value * factor),
      }),
    },
  });
}
