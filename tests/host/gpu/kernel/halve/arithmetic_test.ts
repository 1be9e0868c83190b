/** Every operator of i64 in halves, with f64 and without, against BigInt and the folding of constants. */

import { assertEquals } from "@std/assert";
import type { ColumnType } from "../../../../../gpu/column/column.ts";
import { halve } from "../../../../../gpu/kernel/halve/halve.ts";
import { evaluateBinary } from "../../../../../gpu/kernel/ir/evaluate.ts";
import type { BinaryFn, RowKernel, Scalar } from "../../../../../gpu/kernel/ir/ir.ts";
import { binary, convert, long, unary } from "../../../../../gpu/kernel/ir/scalar.ts";
import { BOOL, result, rowKernel, word } from "../../../../support/kernels/ir_builders.ts";
import { runJavaScript } from "../../../../support/kernels/run_javascript.ts";
import { EDGE_INTEGERS, edgeInteger, edgePair } from "../../../../support/random/edge_integers.ts";
import { forSeeds } from "../../../../support/random/seeded_random.ts";

const INT64: ColumnType = { kind: "int", bits: 64, signed: true };
const INT32: ColumnType = { kind: "int", bits: 32, signed: true };
const NUM_ROWS = 20_000;

const signed = (value: bigint) => BigInt.asIntN(64, value);
const unsigned = (value: bigint) => BigInt.asUintN(64, value);
const isOut = (value: bigint) => value < -(2n ** 63n) || value >= 2n ** 63n;
const isOutU = (value: bigint) => value < 0n || value >= 2n ** 64n;

/** What the operators mean, by exact integers. */
const ORACLE: Readonly<Record<string, (a: bigint, b: bigint) => bigint | boolean>> = {
  "+": (a, b) => signed(a + b),
  "-": (a, b) => signed(a - b),
  "*": (a, b) => signed(a * b),
  "/": (a, b) => b === 0n ? 0n : signed(a / b),
  "%": (a, b) => b === 0n ? 0n : a % b,
  "/u": (a, b) => b === 0n ? 0n : signed(unsigned(a) / unsigned(b)),
  "%u": (a, b) => b === 0n ? 0n : signed(unsigned(a) % unsigned(b)),
  "&": (a, b) => a & b,
  "|": (a, b) => a | b,
  "^": (a, b) => a ^ b,
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
  "<u": (a, b) => unsigned(a) < unsigned(b),
  "+overflows": (a, b) => isOut(a + b),
  "-overflows": (a, b) => isOut(a - b),
  "*overflows": (a, b) => isOut(a * b),
  "+overflowsU": (a, b) => isOutU(unsigned(a) + unsigned(b)),
  "-overflowsU": (a, b) => isOutU(unsigned(a) - unsigned(b)),
  "*overflowsU": (a, b) => isOutU(unsigned(a) * unsigned(b)),
};

const [a, b]: Scalar[] = [0, 1].map((column) => ({ op: "long", type: "i64", column }));

/** The values of an i64 or a bool over columns: with f64, and as a target without it computes them. */
function values(
  types: readonly ColumnType[],
  scalar: Scalar,
  columns: readonly (BigInt64Array | Int32Array)[],
): (bigint | boolean)[][] {
  const isBool = scalar.type === "bool";
  const kernel = rowKernel(types, isBool ? BOOL : INT64, [result(scalar)]);
  const numRows = columns[0]!.length;
  return [kernel, halve(kernel, { hasFloats: false })].map((target: RowKernel) => {
    if (!isBool) return [...runJavaScript(target, columns, numRows, new BigInt64Array(numRows))];
    return [...runJavaScript(target, columns, numRows, new Int32Array(numRows))].map(Boolean);
  });
}

function check(
  actual: readonly (bigint | boolean)[][],
  rows: readonly (readonly bigint[])[],
  expected: (...row: bigint[]) => bigint | boolean,
  what: string,
): void {
  for (const [k, list] of actual.entries()) {
    const row = list.findIndex((value, index) => value !== expected(...rows[index]!));
    if (row < 0) continue;
    const how = k === 0 ? "with f64" : "without f64";
    assertEquals(list[row], expected(...rows[row]!), `${what}, ${how}, of ${rows[row]}`);
  }
}

for (const [fn, oracle] of Object.entries(ORACLE) as [BinaryFn, typeof ORACLE[string]][]) {
  Deno.test(`i64 ${fn} in halves is right for any two numbers`, () =>
    forSeeds(1, (random) => {
      const rows = Array.from({ length: NUM_ROWS }, () => edgePair(random));
      const columns = [0, 1].map((side) => BigInt64Array.from(rows, (row) => row[side]!));
      check(values([INT64, INT64], binary(fn, a!, b!), columns), rows, oracle, fn);
      const folded = (x: bigint, y: bigint) => evaluateBinary(fn, x, y, "i64") as bigint | boolean;
      for (const [x, y] of rows) assertEquals(folded(x!, y!), oracle(x!, y!), `${x} ${fn} ${y}`);
    }));

  Deno.test(`i64 ${fn} in halves is right where one side is a constant or a narrow integer`, () =>
    forSeeds(1, (random) => {
      const constants = [0n, 1n, -1n, 2n, 3n, 7n, 10n, 1000n, 60_000n, 86_400_000_000n, 65_537n]
        .concat([2n ** 31n, -(2n ** 40n), -(2n ** 63n), 2n ** 63n - 1n, edgeInteger(random)]);
      const rows = Array.from({ length: 600 }, () => [edgeInteger(random)]);
      rows.push(...EDGE_INTEGERS.map((value) => [value]));
      const column = BigInt64Array.from(rows, ([value]) => value!);
      for (const value of constants) {
        const right = values([INT64], binary(fn, a!, long(value)), [column]);
        check(right, rows, (x) => oracle(x!, value), `x ${fn} ${value}`);
        const left = values([INT64], binary(fn, long(value), a!), [column]);
        check(left, rows, (x) => oracle(value, x!), `${value} ${fn} x`);
      }
      const narrow = Int32Array.from(rows, ([value]) => Number(BigInt.asIntN(32, value!)));
      for (const extend of ["extend", "extendU"] as const) {
        const widened = convert(extend, "i64", word(1));
        const of = (value: bigint) =>
          extend === "extend" ? BigInt.asIntN(32, value) : BigInt.asUintN(32, value);
        const inputs = [column, narrow];
        const types = [INT64, INT32];
        const mixed = values(types, binary(fn, a!, widened), inputs);
        check(mixed, rows, (x) => oracle(x!, of(x!)), `x ${fn} ${extend}(low of x)`);
        const both = values(types, binary(fn, widened, long(-1n)), inputs);
        check(both, rows, (x) => oracle(of(x!), -1n), `${extend}(x) ${fn} -1`);
        const other = convert("extend", "i64", binary("-", word(1), { ...word(1) }));
        check(
          values(types, binary(fn, widened, other), inputs),
          rows,
          (x) => oracle(of(x!), 0n),
          `${extend}(x) ${fn} 0`,
        );
        const square = binary(fn, widened, convert("extend", "i64", unary("~", word(1))));
        check(
          values(types, square, inputs),
          rows,
          (x) => oracle(of(x!), ~BigInt.asIntN(32, x!)),
          `${extend}(x) ${fn} extend(~x)`,
        );
      }
    }));
}

Deno.test("shifts in halves are right for any count, constant or not", () =>
  forSeeds(1, (random) => {
    const shifts = {
      "<<": (x: bigint, n: bigint) => signed(x << (n & 63n)),
      ">>": (x: bigint, n: bigint) => x >> (n & 63n),
      ">>>": (x: bigint, n: bigint) => signed(unsigned(x) >> (n & 63n)),
    };
    const rows = Array.from(
      { length: NUM_ROWS },
      () => [edgeInteger(random), BigInt(random.below(200) - 70)],
    );
    const numbers = BigInt64Array.from(rows, (row) => row[0]!);
    const counts = Int32Array.from(rows, (row) => Number(row[1]!));
    for (const [fn, oracle] of Object.entries(shifts) as [BinaryFn, typeof shifts["<<"]][]) {
      const any = binary(fn, a!, word(1));
      check(values([INT64, INT32], any, [numbers, counts]), rows, oracle, fn);
      for (let count = -1; count < 66; count++) {
        const constant: Scalar = { op: "const", type: "i32", value: count };
        const some = numbers.slice(0, 200);
        const actual = values([INT64], binary(fn, a!, constant), [some]);
        check(actual, rows, (x) => oracle(x!, BigInt(count)), `${fn} ${count}`);
      }
    }
  }));

Deno.test("-, ~ and clz in halves are right", () =>
  forSeeds(1, (random) => {
    const rows = Array.from({ length: NUM_ROWS }, () => [edgeInteger(random)]);
    const column = BigInt64Array.from(rows, ([value]) => value!);
    const oracles = {
      "-": (x: bigint) => signed(-x),
      "~": (x: bigint) => ~x,
      "clz": (x: bigint) => BigInt(64 - (x === 0n ? 0 : unsigned(x).toString(2).length)),
    };
    for (const fn of ["-", "~", "clz"] as const) {
      check(values([INT64], unary(fn, a!), [column]), rows, oracles[fn], fn);
    }
  }));
