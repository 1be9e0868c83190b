/** Conversions of i64 in halves, against BigInt and DataView. */

import { assert, assertEquals } from "@std/assert";
import type { ColumnType } from "../../../../../gpu/column/column.ts";
import { evaluateConvert } from "../../../../../gpu/kernel/ir/evaluate.ts";
import type { Scalar } from "../../../../../gpu/kernel/ir/ir.ts";
import { binary, convert, unary } from "../../../../../gpu/kernel/ir/scalar.ts";
import { result, rowKernel, word } from "../../../../support/kernels/ir_builders.ts";
import { runJavaScript } from "../../../../support/kernels/run_javascript.ts";
import { EDGE_INTEGERS, edgeInteger } from "../../../../support/random/edge_integers.ts";
import { forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";

const INT64: ColumnType = { kind: "int", bits: 64, signed: true };
const INT32: ColumnType = { kind: "int", bits: 32, signed: true };
const FLOAT64: ColumnType = { kind: "float", bits: 64 };
const NUM_ROWS = 20_000;

const integer: Scalar = { op: "long", type: "i64", column: 0 };
const float: Scalar = { op: "float", type: "f64", column: 0 };

const view = new DataView(new ArrayBuffer(8));
function bitsOf(value: number): bigint {
  view.setFloat64(0, value);
  return view.getBigInt64(0);
}
function floatOf(bits: bigint): number {
  view.setBigInt64(0, bits);
  return view.getFloat64(0);
}

function integers(random: SeededRandom): BigInt64Array {
  return BigInt64Array.from([
    ...EDGE_INTEGERS,
    ...Array.from({ length: NUM_ROWS }, () => edgeInteger(random)),
  ]);
}

/** Any bits, whole numbers around the limits of integers, and fractions. */
function floats(random: SeededRandom): Float64Array {
  const edges = [0, -0, 0.5, -0.5, 0.9999999999999999, 1, -1, Infinity, -Infinity, NaN];
  const draw = () => {
    switch (random.below(4)) {
      case 0:
        return floatOf(edgeInteger(random));
      case 1:
        return Number(edgeInteger(random)) + random.next() - 0.5;
      case 2:
        return (random.next() - 0.5) * 2 ** random.below(70);
      default:
        return random.pick(edges);
    }
  };
  return Float64Array.from({ length: NUM_ROWS }, draw);
}

function toFloats(scalar: Scalar, column: BigInt64Array): number[] {
  const kernel = rowKernel([INT64], FLOAT64, [result(scalar)]);
  return [...runJavaScript(kernel, [column], column.length, new Float64Array(column.length))];
}

function toIntegers(scalar: Scalar, column: Float64Array): bigint[] {
  const kernel = rowKernel([FLOAT64], INT64, [result(scalar)]);
  return [...runJavaScript(kernel, [column], column.length, new BigInt64Array(column.length))];
}

function assertSame<T>(
  actual: readonly T[],
  given: ArrayLike<unknown>,
  expected: (row: number) => T,
) {
  actual.forEach((value, row) => {
    // Unlike `assertEquals`, this tells zeros apart.
    assert(Object.is(value, expected(row)), `${value}, not ${expected(row)}, of ${given[row]}`);
  });
}

Deno.test("i64 becomes the nearest f64, with and without a sign", () =>
  forSeeds(1, (random) => {
    const column = integers(random);
    const isNearest = (row: number) => Number(column[row]!);
    assertSame(toFloats(convert("toFloat", "f64", integer), column), column, isNearest);
    const unsigned = (row: number) => Number(BigInt.asUintN(64, column[row]!));
    assertSame(toFloats(convert("toFloatU", "f64", integer), column), column, unsigned);
  }));

Deno.test("f64 is truncated to i64 and i32, and ends at their limits", () =>
  forSeeds(1, (random) => {
    const column = floats(random);
    const truncated = (bits: bigint) => (row: number) => {
      const value = column[row]!;
      const [least, greatest] = [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];
      if (Number.isNaN(value)) return 0n;
      if (!Number.isFinite(value)) return value > 0 ? greatest : least;
      const whole = BigInt(Math.trunc(value));
      return whole > greatest ? greatest : whole < least ? least : whole;
    };
    const wide = toIntegers(convert("truncate", "i64", float), column);
    assertSame(wide, column, truncated(64n));
    const narrow = convert("extend", "i64", convert("truncate", "i32", float));
    assertSame(toIntegers(narrow, column), column, truncated(32n));
    for (const [row, value] of column.entries()) {
      assertEquals(evaluateConvert("truncate", value, "i64"), truncated(64n)(row));
    }
  }));

Deno.test("bits pass between i64 and f64, except that there is one NaN", () =>
  forSeeds(1, (random) => {
    const column = floats(random);
    const canonical = (value: number) => Number.isNaN(value) ? 0x7ff8n << 48n : bitsOf(value);
    const bits = (row: number) => canonical(column[row]!);
    assertSame(toIntegers(convert("bits", "i64", float), column), column, bits);
    const patterns = integers(random);
    const back = toFloats(convert("bits", "f64", integer), patterns);
    assertSame(back, patterns, (row) => floatOf(patterns[row]!));
    const kernel = rowKernel([INT64], FLOAT64, [result(convert("bits", "f64", integer))]);
    const written = new Float64Array(patterns.length);
    runJavaScript(kernel, [patterns], patterns.length, written);
    assertSame(
      [...new BigInt64Array(written.buffer)],
      patterns,
      (row) => canonical(floatOf(patterns[row]!)),
    );
  }));

Deno.test("halves of i64 and of f64 are their low and their high words", () =>
  forSeeds(1, (random) => {
    const swapped = (value: Scalar) =>
      binary("join", convert("high", "i32", value), convert("low", "i32", value));
    const swap = (bits: bigint) => BigInt.asIntN(64, BigInt.asUintN(32, bits >> 32n) | bits << 32n);
    const column = integers(random);
    const kernel = rowKernel([INT64], INT64, [result(swapped(binary("+", integer, integer)))]);
    const twice = runJavaScript(kernel, [column], column.length, new BigInt64Array(column.length));
    assertSame([...twice], column, (row) => swap(BigInt.asIntN(64, 2n * column[row]!)));
    const numbers = floats(random).filter((value) => !Number.isNaN(value));
    assertSame(toIntegers(swapped(float), numbers), numbers, (row) => swap(bitsOf(numbers[row]!)));
    const joined = binary(
      "join",
      convert("low", "i32", float),
      convert("high", "i32", float),
      "f64",
    );
    const same = rowKernel([FLOAT64], FLOAT64, [result(unary("-", joined))]);
    const negated = runJavaScript(
      same,
      [numbers],
      numbers.length,
      new Float64Array(numbers.length),
    );
    assertSame([...negated], numbers, (row) => -numbers[row]!);
  }));

Deno.test("i32 is extended by its sign or with zeros", () =>
  forSeeds(1, (random) => {
    const column = Int32Array.from({ length: NUM_ROWS }, () =>
      Number(edgeInteger(random) & 0xffff_ffffn));
    for (const fn of ["extend", "extendU"] as const) {
      const kernel = rowKernel([INT32], INT64, [result(convert(fn, "i64", word(0)))]);
      const actual = runJavaScript(kernel, [column], NUM_ROWS, new BigInt64Array(NUM_ROWS));
      assertSame([...actual], column, (row) =>
        fn === "extend" ? BigInt(column[row]!) : BigInt(column[row]! >>> 0));
    }
  }));
