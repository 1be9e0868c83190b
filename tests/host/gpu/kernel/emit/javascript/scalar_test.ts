/** Operators of i32 and f64 in the JavaScript of kernels, against plain functions. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { ColumnType } from "../../../../../../gpu/column/column.ts";
import { emitJavaScript } from "../../../../../../gpu/kernel/emit/javascript/emit.ts";
import { evaluateBinary, evaluateUnary } from "../../../../../../gpu/kernel/ir/evaluate.ts";
import type { BinaryFn, Scalar, UnaryFn } from "../../../../../../gpu/kernel/ir/ir.ts";
import {
  binary,
  convert,
  float,
  int,
  select,
  unary,
} from "../../../../../../gpu/kernel/ir/scalar.ts";
import type { MathFunction } from "../../../../../../gpu/kernel/language/host_functions.ts";
import {
  BOOL,
  INT32,
  result,
  rowKernel,
  word,
} from "../../../../../support/kernels/ir_builders.ts";
import { runJavaScript } from "../../../../../support/kernels/run_javascript.ts";

const FLOAT64: ColumnType = { kind: "float", bits: 64 };

const FLOATS = [
  0,
  -0,
  1,
  -1,
  0.5,
  -0.5,
  1.5,
  2.5,
  -2.5,
  0.49999999999999994,
  1e-310,
  2 ** 31,
  -(2 ** 31),
]
  .concat([
    2 ** 31 - 0.5,
    2 ** 52 + 0.5,
    2 ** 53 - 1,
    1e300,
    -1e300,
    Infinity,
    -Infinity,
    NaN,
    3,
    -7.25,
  ]);
const INTS = [0, 1, -1, 2, -2, 7, -7, 31, 32, 65_535, 65_536, 0x7fffffff, -0x80000000, 0x40000000];

const [a, b]: Scalar[] = [0, 1].map((column) => ({ op: "float", type: "f64", column }));
const [i, k] = [word(0), word(1)];

/** The results of a scalar over all pairs of numbers. */
function over(scalar: Scalar, numbers: readonly number[]): number[] {
  const isFloat = numbers === FLOATS;
  const pairs = pairsOf(numbers);
  const columns = [0, 1].map((side) =>
    new (isFloat ? Float64Array : Int32Array)(pairs.map((pair) => pair[side]!))
  );
  const type = scalar.type === "f64" ? FLOAT64 : scalar.type === "bool" ? BOOL : INT32;
  const from = isFloat ? FLOAT64 : INT32;
  const array = new (scalar.type === "f64" ? Float64Array : Int32Array)(pairs.length);
  return [
    ...runJavaScript(rowKernel([from, from], type, [result(scalar)]), columns, pairs.length, array),
  ];
}

function pairsOf(numbers: readonly number[]): (readonly [number, number])[] {
  return numbers.flatMap((left) => numbers.map((right) => [left, right] as const));
}

function assertComputes(
  scalar: Scalar,
  numbers: readonly number[],
  expected: (left: number, right: number) => number | bigint | boolean,
  what: string,
): void {
  const pairs = pairsOf(numbers);
  over(scalar, numbers).forEach((value, row) => {
    const wanted = Number(expected(...pairs[row]!));
    // Unlike `assertEquals`, this tells zeros apart.
    assert(Object.is(value, wanted), `${what} of ${pairs[row]}: ${value}, not ${wanted}`);
  });
}

Deno.test("operators of f64 are those of IEEE 754", () => {
  const operators: Record<string, (x: number, y: number) => number | boolean> = {
    "+": (x, y) => x + y,
    "-": (x, y) => x - y,
    "*": (x, y) => x * y,
    "/": (x, y) => x / y,
    "==": (x, y) => x === y,
    "!=": (x, y) => x !== y,
    "<": (x, y) => x < y,
    "<=": (x, y) => x <= y,
    ">": (x, y) => x > y,
    ">=": (x, y) => x >= y,
  };
  for (const [fn, expected] of Object.entries(operators) as [BinaryFn, typeof operators[""]][]) {
    assertComputes(binary(fn, a!, b!), FLOATS, expected, fn);
    assertComputes(binary(fn, binary("-", a!, b!), b!), FLOATS, (x, y) => expected(x - y, y), fn);
    assertComputes(binary(fn, a!, binary("/", b!, a!)), FLOATS, (x, y) => expected(x, y / x), fn);
    assertComputes(binary(fn, float(-0), b!), FLOATS, (_, y) => expected(-0, y), fn);
  }
});

Deno.test("functions of one f64 round as they say", () => {
  const away = (x: number) => evaluateUnary("nearest", x, "f64") as number;
  const functions: [UnaryFn, (x: number) => number][] = [
    ["-", (x) => -x],
    ["abs", Math.abs],
    ["sqrt", Math.sqrt],
    ["floor", Math.floor],
    ["ceil", Math.ceil],
    ["trunc", Math.trunc],
    ["fround", Math.fround],
    ["nearest", away],
  ];
  for (const [fn, expected] of functions) {
    assertComputes(unary(fn, a!), FLOATS, expected, fn);
    assertComputes(unary("-", unary(fn, a!)), FLOATS, (x) => -expected(x), `- ${fn}`);
    assertComputes(binary("-", b!, unary(fn, a!)), FLOATS, (x, y) => y - expected(x), `y - ${fn}`);
  }
  assertEquals([0.5, 1.5, 2.5, -0.5, -1.5].map(away), [0, 2, 2, -0, -2]);
});

Deno.test("functions of Math are called without parameters for them", () => {
  const functions: [MathFunction | "remainder", (x: number, y: number) => number][] = [
    ["cbrt", Math.cbrt],
    ["exp", Math.exp],
    ["ln", Math.log],
    ["log10", Math.log10],
    ["log2", Math.log2],
    ["sin", Math.sin],
    ["cos", Math.cos],
    ["tan", Math.tan],
    ["asin", Math.asin],
    ["acos", Math.acos],
    ["atan", Math.atan],
    ["atan2", Math.atan2],
    ["pow", (x, y) => x ** y],
    ["remainder", (x, y) => x % y],
  ];
  for (const [name, expected] of functions) {
    const args = expected.length === 2 ? [a!, b!] : [a!];
    const call: Scalar = { op: "hostCall", type: "f64", name, space: null, args };
    assertComputes(call, FLOATS, expected, name);
    if (name === "remainder") {
      const rest: Scalar = { ...call, args: [binary("-", a!, b!), binary("*", a!, b!)] };
      assertComputes(rest, FLOATS, (x, y) => (x - y) % (x * y), "(x - y) % (x * y)");
    }
    const product = binary("*", b!, call);
    assertComputes(product, FLOATS, (x, y) => y * expected(x, y), `y * ${name}`);
    const { parameters } = emitJavaScript(rowKernel([FLOAT64, FLOAT64], FLOAT64, [result(call)]));
    assertEquals(parameters.includes(`$${name}`), false);
  }
});

Deno.test("operators of i32 are those of constants", () => {
  const operators = [
    "+",
    "-",
    "*",
    "/",
    "%",
    "/u",
    "%u",
    "&",
    "|",
    "^",
    "<<",
    ">>",
    ">>>",
  ] as const;
  for (const fn of operators) {
    const expected = (x: number, y: number) => evaluateBinary(fn, x, y) as number;
    assertComputes(binary(fn, i, k), INTS, expected, fn);
    const more = binary("-", k, binary(fn, i, k));
    assertComputes(more, INTS, (x, y) => (y - expected(x, y)) | 0, `y - (x ${fn} y)`);
    for (const constant of [1, 3, -1, -0x80000000, 1000]) {
      const right = binary(fn, i, int(constant));
      assertComputes(right, INTS, (x) => expected(x, constant), `x ${fn} ${constant}`);
    }
  }
  const unsigned = (x: number, y: number) =>
    y === 0 ? 0 : Number(BigInt.asUintN(32, BigInt(x)) / BigInt.asUintN(32, BigInt(y))) | 0;
  assertComputes(binary("/u", i, k), INTS, unsigned, "/u");
  assertComputes(unary("clz", i), INTS, Math.clz32, "clz");
  assertComputes(unary("-", unary("-", i)), INTS, (x) => x, "- -");
  const less = binary("<", i, k);
  assertComputes(select(less, int(1), int(0)), INTS, (x, y) => x < y ? 1 : 0, "1 or 0");
  assertComputes(select(less, int(0), int(1)), INTS, (x, y) => x < y ? 0 : 1, "0 or 1");
  const sum = binary("+", i, select(binary("&&", less, less), int(1), int(0)));
  assertComputes(sum, INTS, (x, y) => (x + (x < y ? 1 : 0)) | 0, "x + 1 or 0");
});

Deno.test("i32 and f64 become each other", () => {
  const toFloat = convert("toFloat", "f64", i);
  assertComputes(toFloat, INTS, (x) => x, "toFloat");
  assertComputes(binary("+", toFloat, float(0.5)), INTS, (x) => x + 0.5, "toFloat + 0.5");
  assertComputes(convert("toFloatU", "f64", i), INTS, (x) => x >>> 0, "toFloatU");
  const sum = convert("toFloat", "f64", binary("+", i, k));
  assertComputes(binary("*", sum, float(2)), INTS, (x, y) => 2 * ((x + y) | 0), "2 * (x + y)");
  const truncated = (x: number) =>
    Number.isNaN(x) ? 0 : Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, Math.trunc(x))) + 0;
  assertComputes(convert("truncate", "i32", a!), FLOATS, truncated, "truncate");
  assertComputes(convert("wrap", "i32", a!), FLOATS, (x) => x | 0, "wrap");
});

Deno.test("a kernel of f64 is plain arithmetic over its columns", () => {
  const c: Scalar = { op: "float", type: "f64", column: 2 };
  const scalar = binary("+", binary("*", a!, b!), c);
  const { body } = emitJavaScript(
    rowKernel([FLOAT64, FLOAT64, FLOAT64], FLOAT64, [result(scalar)]),
  );
  assertStringIncludes(body, "const $value = $float0[$row] * $float1[$row] + $float2[$row];\n");
});
