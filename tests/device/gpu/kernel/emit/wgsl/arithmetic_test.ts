/** Arithmetic of generated WGSL on a device, from code built by hand. */

import { assertEquals } from "@std/assert";
import type { ColumnType } from "../../../../../../gpu/column/column.ts";
import type { BinaryFn, Scalar } from "../../../../../../gpu/kernel/ir/ir.ts";
import { deviceTest } from "../../../../../support/device/adapter.ts";
import { columnOf, valuesOf } from "../../../../../support/values/host_columns.ts";
import {
  assertComputes,
  computeOnDevice,
  withDevice,
} from "../../../../../support/device/device_kernels.ts";
import {
  binary,
  BOOL,
  bool,
  int,
  INT32,
  result,
  rowKernel,
  unary,
  when,
  word,
} from "../../../../../support/kernels/ir_builders.ts";

const EDGES = [
  0,
  1,
  -1,
  2,
  -2,
  3,
  7,
  -7,
  31,
  32,
  33,
  63,
  -33,
  65535,
  65536,
  0x7fffffff,
  -0x7fffffff,
  -0x80000000,
];

/** What JavaScript makes of each operator under `| 0`, and 0 for a divisor of 0. */
const ORACLE: Readonly<Record<string, (a: number, b: number) => number | boolean>> = {
  "+": (a, b) => (a + b) | 0,
  "-": (a, b) => (a - b) | 0,
  "*": (a, b) => Math.imul(a, b),
  "/": (a, b) => b === 0 ? 0 : (a / b) | 0,
  "%": (a, b) => b === 0 ? 0 : (a % b) | 0,
  "&": (a, b) => a & b,
  "|": (a, b) => a | b,
  "^": (a, b) => a ^ b,
  "<<": (a, b) => a << b,
  ">>": (a, b) => a >> b,
  ">>>": (a, b) => (a >>> b) | 0,
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
  "<u": (a, b) => (a >>> 0) < (b >>> 0),
};

const OPERATORS = Object.keys(ORACLE) as BinaryFn[];
const COMPARISONS = new Set<string>(["==", "!=", "<", "<=", ">", ">=", "<u"]);

const pairs = EDGES.flatMap((a) => EDGES.map((b): [number, number] => [a, b]));

deviceTest("operators over columns agree with JavaScript's bit arithmetic", async () => {
  const inputs = [0, 1].map((side) => columnOf(INT32, pairs.map((pair) => pair[side]!)));
  // One kernel for all: column 2 says which operator the row is about.
  for (const isBool of [false, true]) {
    const chosen = OPERATORS.filter((fn) => COMPARISONS.has(fn) === isBool);
    const cases = chosen.map((fn, k) => ({
      body: when(binary(word(2), "==", int(k)), [result(binary(word(0), fn, word(1)))]),
      fn,
    }));
    const kernel = rowKernel(
      [INT32, INT32, INT32],
      isBool ? BOOL : INT32,
      cases.map(({ body }) => body),
    );
    await withDevice(async (context) => {
      for (const [k, { fn }] of cases.entries()) {
        const operator = columnOf(INT32, pairs.map(() => k));
        const [column] = await computeOnDevice(
          context,
          [kernel],
          [...inputs, operator],
          pairs.length,
        );
        const expected = pairs.map(([a, b]) => ORACLE[fn]!(a, b));
        assertEquals(valuesOf(column!), expected, `a ${fn} b`);
      }
    });
  }
});

deviceTest("operators with a constant on one side or both compile and agree", async () => {
  const values = columnOf(INT32, EDGES);
  // Column 1 says which constant the row is about, so that one kernel has them all.
  const which = columnOf(INT32, EDGES.map((_, k) => k));
  const cases = OPERATORS.flatMap((fn) => {
    const type: ColumnType = COMPARISONS.has(fn) ? BOOL : INT32;
    const kernelOf = (label: string, expression: (k: number, constant: Scalar) => Scalar) =>
      rowKernel(
        [INT32, INT32],
        type,
        EDGES.map((constant, k) =>
          when(binary(word(1), "==", int(k)), [result(expression(k, int(constant)))])
        ),
        { label },
      );
    const opposite = (k: number) => EDGES[EDGES.length - 1 - k]!;
    return [
      {
        kernel: kernelOf(`value ${fn} constant`, (_, constant) => binary(word(0), fn, constant)),
        expected: (row: number) => ORACLE[fn]!(EDGES[row]!, EDGES[row]!),
      },
      {
        kernel: kernelOf(`constant ${fn} value`, (_, constant) => binary(constant, fn, word(0))),
        expected: (row: number) => ORACLE[fn]!(EDGES[row]!, EDGES[row]!),
      },
      {
        kernel: kernelOf(
          `constant ${fn} constant`,
          (k, constant) => binary(constant, fn, int(opposite(k))),
        ),
        expected: (row: number) => ORACLE[fn]!(EDGES[row]!, opposite(row)),
      },
    ];
  });
  await assertComputes(cases, [values, which]);
});

deviceTest("unary operators, select and nested operators keep their order", async () => {
  const a = [5, -5, 0, -0x80000000, 0x7fffffff, 12345];
  const inputs = [columnOf(INT32, a)];
  const x = word(0);
  const of = (label: string, value: Scalar) =>
    rowKernel([INT32], value.type === "bool" ? BOOL : INT32, [result(value)], { label });
  await assertComputes([
    { kernel: of("-x", unary("-", x)), expected: (row) => -a[row]! | 0 },
    { kernel: of("- -x", unary("-", unary("-", x))), expected: (row) => a[row]! },
    { kernel: of("~x", unary("~", x)), expected: (row) => ~a[row]! },
    { kernel: of("x - -3", binary(x, "-", int(-3))), expected: (row) => (a[row]! + 3) | 0 },
    {
      kernel: of("!(x < 0)", unary("!", binary(x, "<", int(0)))),
      expected: (row) => a[row]! >= 0,
    },
    {
      kernel: of(
        "x < 0 ? 1 : 2",
        { op: "select", type: "i32", test: binary(x, "<", int(0)), yes: int(1), no: int(2) },
      ),
      expected: (row) => a[row]! < 0 ? 1 : 2,
    },
    {
      kernel: of("x & (x - 1) | 8", binary(binary(x, "&", binary(x, "-", int(1))), "|", int(8))),
      expected: (row) => (a[row]! & (a[row]! - 1)) | 8,
    },
    {
      kernel: of(
        "(x > 0) == (x > 10 && true)",
        binary(
          binary(x, ">", int(0)),
          "==",
          binary(binary(x, ">", int(10)), "&&", bool(true)),
        ),
      ),
      expected: (row) => (a[row]! > 0) === (a[row]! > 10),
    },
    {
      kernel: of("false || x == 0", binary(bool(false), "||", binary(x, "==", int(0)))),
      expected: (row) => a[row] === 0,
    },
  ], inputs);
});
