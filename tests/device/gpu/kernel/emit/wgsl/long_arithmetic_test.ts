/** Arithmetic of 64-bit integers in generated WGSL on a device, against BigInt. */

import type { ColumnType } from "../../../../../../gpu/column/column.ts";
import type { BinaryFn, Scalar } from "../../../../../../gpu/kernel/ir/ir.ts";
import { binary, convert, long, unary } from "../../../../../../gpu/kernel/ir/scalar.ts";
import { assertComputes } from "../../../../../support/device/device_kernels.ts";
import { deviceTest } from "../../../../../support/device/adapter.ts";
import {
  BOOL,
  int,
  INT32,
  result,
  rowKernel,
  word,
} from "../../../../../support/kernels/ir_builders.ts";
import { edgeInteger, edgePair } from "../../../../../support/random/edge_integers.ts";
import { forSeeds } from "../../../../../support/random/seeded_random.ts";
import { columnOf } from "../../../../../support/values/host_columns.ts";

const INT64: ColumnType = { kind: "int", bits: 64, signed: true };
const NUM_ROWS = 700;

const signed = (value: bigint) => BigInt.asIntN(64, value);
const unsigned = (value: bigint) => BigInt.asUintN(64, value);
const isOut = (value: bigint) => value < -(2n ** 63n) || value >= 2n ** 63n;

/** What the operators mean, by exact integers. */
const ORACLE: Readonly<Record<string, (a: bigint, b: bigint) => bigint | boolean>> = {
  "+": (a, b) => signed(a + b),
  "-": (a, b) => signed(a - b),
  "*": (a, b) => signed(a * b),
  "/": (a, b) => b === 0n ? 0n : signed(a / b),
  "%": (a, b) => b === 0n ? 0n : a % b,
  "/u": (a, b) => b === 0n ? 0n : signed(unsigned(a) / unsigned(b)),
  "%u": (a, b) => b === 0n ? 0n : signed(unsigned(a) % unsigned(b)),
  "^": (a, b) => a ^ b,
  "==": (a, b) => a === b,
  "<": (a, b) => a < b,
  ">=": (a, b) => a >= b,
  "<u": (a, b) => unsigned(a) < unsigned(b),
  "+overflows": (a, b) => isOut(a + b),
  "-overflows": (a, b) => isOut(a - b),
  "*overflows": (a, b) => isOut(a * b),
  "*overflowsU": (a, b) => unsigned(a) * unsigned(b) >= 2n ** 64n,
};

const OPERATORS = Object.keys(ORACLE) as BinaryFn[];

const [a, b]: Scalar[] = [0, 1].map((column) => ({ op: "long", type: "i64", column }));

function kernelOf(label: string, scalar: Scalar, types: readonly ColumnType[]) {
  return rowKernel(types, scalar.type === "bool" ? BOOL : INT64, [result(scalar)], { label });
}

deviceTest("operators of 64-bit integers agree with BigInt", () =>
  forSeeds(1, async (random) => {
    const rows = Array.from({ length: NUM_ROWS }, () => edgePair(random));
    await assertComputes(
      OPERATORS.map((fn) => ({
        kernel: kernelOf(fn, binary(fn, a!, b!), [INT64, INT64]),
        expected: (row) => ORACLE[fn]!(...rows[row]!),
      })),
      [0, 1].map((side) => columnOf(INT64, rows.map((row) => row[side]!))),
    );
  }));

deviceTest(
  "operators of 64-bit integers with a constant agree with BigInt",
  () =>
    forSeeds(1, async (random) => {
      const rows = Array.from({ length: NUM_ROWS }, () => edgeInteger(random));
      const constants = [0n, 1n, -1n, 10n, 86_400_000_000n, 65_537n, -(2n ** 63n), 2n ** 31n];
      const cases = OPERATORS.flatMap((fn) =>
        constants.map((value) => ({
          kernel: kernelOf(`x ${fn} ${value}`, binary(fn, a!, long(value)), [INT64]),
          expected: (row: number) => ORACLE[fn]!(rows[row]!, value),
        }))
      );
      await assertComputes(cases, [columnOf(INT64, rows)]);
    }),
);

deviceTest(
  "shifts, zeros and conversions of 64-bit integers agree with BigInt",
  () =>
    forSeeds(1, async (random) => {
      const rows = Array.from({ length: NUM_ROWS }, () => edgeInteger(random));
      const narrow = rows.map((value) => Number(BigInt.asIntN(32, value)));
      const n = (row: number) => BigInt(narrow[row]! & 63);
      const types = [INT64, INT32];
      const count = word(1);
      const low = convert("low", "i32", a!);
      const cases: [string, Scalar, (row: number) => bigint][] = [
        ["<<", binary("<<", a!, count), (row) => signed(rows[row]! << n(row))],
        [">>", binary(">>", a!, count), (row) => rows[row]! >> n(row)],
        [">>>", binary(">>>", a!, count), (row) => signed(unsigned(rows[row]!) >> n(row))],
        ["<< 40", binary("<<", a!, int(40)), (row) => signed(rows[row]! << 40n)],
        ["~", unary("~", a!), (row) => ~rows[row]!],
        ["-", unary("-", a!), (row) => signed(-rows[row]!)],
        ["clz", unary("clz", a!), (row) => {
          const text = unsigned(rows[row]!).toString(2);
          return BigInt(text === "0" ? 64 : 64 - text.length);
        }],
        ["extend", convert("extend", "i64", low), (row) => BigInt(narrow[row]!)],
        ["extendU", convert("extendU", "i64", low), (row) => BigInt(narrow[row]! >>> 0)],
      ];
      await assertComputes(
        cases.map(([label, scalar, expected]) => ({
          kernel: kernelOf(label, scalar, types),
          expected,
        })),
        [columnOf(INT64, rows), columnOf(INT32, narrow)],
      );
    }),
);
