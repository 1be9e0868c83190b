/**
 * Conversions on a device give what the host gives.
 */

import { assertEquals } from "@std/assert";
import { Bool, type DataType, Float32, Float64, Int64, Uint64, Utf8 } from "apache-arrow";
import { evaluateOnHost, HostKernelCache } from "../../gpu/host/evaluate.ts";
import { col, type Expr } from "../../ops/expr/expr.ts";
import { deviceTest } from "../support/adapter.ts";
import { evaluateToHost, withDevice } from "../support/device_kernels.ts";
import { FLOAT_EDGES, ODD_FLOATS } from "../support/float_texts.ts";
import { type Value, valuesOf } from "../support/host_columns.ts";
import { INTEGER_EDGES, ODD_INTEGERS } from "../support/integer_texts.ts";
import { compileTyped } from "../support/typed_exprs.ts";

const x = col("x");
const integers = [null, ...INTEGER_EDGES.map((edge) => BigInt.asIntN(64, edge))];
const floats = [null, ...FLOAT_EDGES];
const URLS = [
  "",
  "a b/c~é中🙂\0",
  "%C3%A9%",
  "%E0%A0",
  "%F0%9F%99%82%f0%9f",
  "%4",
  "%ED%A0%80%zz+",
  null,
];
const integerTexts = [null, ...INTEGER_EDGES.map(String), ...ODD_INTEGERS];

/** Expressions over a column `x`, with the values of the column. */
const CASES: readonly [Expr, DataType, readonly Value[]][] = [
  [x.toInteger(), new Utf8(), integerTexts],
  [x.isInteger(), new Utf8(), integerTexts],
  [x.toInteger().toString(), new Utf8(), integerTexts],
  [x.toInteger().integerToHex(), new Utf8(), integerTexts],
  [x.toInteger().integerToIpv4(), new Utf8(), integerTexts],
  [x.toInteger().toFloat(), new Utf8(), integerTexts],
  [x.hexToInteger(), new Utf8(), integerTexts],
  [x.toString(), new Int64(), integers],
  [x.integerToHex().hexToInteger(), new Int64(), integers],
  [x.toFloat().toInteger(), new Int64(), integers],
  [x.toString(), new Uint64(), integers.map((value) => value && BigInt.asUintN(64, value))],
  [x.toFloat(), new Uint64(), integers.map((value) => value && BigInt.asUintN(64, value))],
  [x.toInteger(), new Uint64(), integers.map((value) => value && BigInt.asUintN(64, value))],
  [x.toInteger(), new Float64(), floats],
  [x.toInteger(), new Float32(), floats.map((value) => value && Math.fround(value))],
  [x.toString().upper(), new Float64(), floats],
  [x.toString(), new Bool(), [true, false, null]],
  [x.toBoolean(), new Utf8(), ["true", "FALSE", "", null, "truth"]],
  [x.isFloat(), new Utf8(), [...ODD_FLOATS, null]],
  [x.toFloat(), new Utf8(), [...ODD_FLOATS, null]],
  [x.toFloat().add(0.5).toInteger(), new Utf8(), [...ODD_FLOATS, null]],
  [x.ipv4ToInteger(), new Utf8(), ["1.2.3.4", "255.255.255.255", "1.2.3", "01.2.3.4", null]],
  [x.urlEncode(), new Utf8(), URLS],
  [x.urlDecode(), new Utf8(), URLS],
  [x.urlEncode().urlDecode(), new Utf8(), URLS],
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
          assertEquals(
            valuesOf(actual!),
            valuesOf(wanted!),
            program.kernels.map(({ label }) => label).join(),
          );
        }
      }
    }),
);
