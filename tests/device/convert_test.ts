/**
 * Conversions on a device give what the host gives.
 */

import { assertEquals } from "@std/assert";
import { type DataType, Utf8 } from "apache-arrow";
import { evaluateOnHost, HostKernelCache } from "../../gpu/host/evaluate.ts";
import { col, type Expr } from "../../ops/expr/expr.ts";
import { deviceTest } from "../support/adapter.ts";
import { evaluateToHost, withDevice } from "../support/device_kernels.ts";
import { type Value, valuesOf } from "../support/host_columns.ts";
import { INTEGER_EDGES, ODD_INTEGERS } from "../support/integer_texts.ts";
import { compileTyped } from "../support/typed_exprs.ts";

const integerTexts = [null, ...INTEGER_EDGES.map(String), ...ODD_INTEGERS];

/** Expressions over a column `x`, with the values of the column. */
const CASES: readonly [Expr, DataType, readonly Value[]][] = [
  [col("x").toInteger(), new Utf8(), integerTexts],
];

deviceTest(
  "conversions agree with the host, fused and unfused, whatever runs where",
  () =>
    withDevice(async (context) => {
      for (const [expr, type, values] of CASES) {
        for (const fuse of [true, false]) {
          const { program, columns, numRows } = compileTyped(expr, { x: [type, values] }, fuse);
          const [wanted] = evaluateOnHost(program, columns, numRows, new HostKernelCache());
          const [actual] = await evaluateToHost(context, program, columns, numRows);
          assertEquals(valuesOf(actual!), valuesOf(wanted!), program.kernels[0]?.label);
        }
      }
    }),
);
