import { assertEquals } from "@std/assert";
import {
  evaluateBinary,
  evaluateConvert,
  evaluateUnary,
} from "../../../../../../gpu/kernel/ir/evaluate.ts";
import { emitWasm } from "../../../../../../gpu/kernel/emit/wasm/emit.ts";
import type { Scalar, ScalarType } from "../../../../../../gpu/kernel/ir/ir.ts";
import { constant } from "../../../../../../gpu/kernel/ir/scalar.ts";
import {
  rowKernel,
  rowOf,
  runAsWasm,
  TYPE_OF_SCALAR,
} from "../../../../../support/kernels/wasm_rows.ts";
import {
  type Answer,
  BINARY,
  bitsOf,
  CONVERSIONS,
  draw,
  EDGES,
  UNARY,
  wrap,
} from "../../../../../support/models/scalar_model.ts";
import { forSeeds } from "../../../../../support/random/seeded_random.ts";
import { columnOf, type Value, valuesOf } from "../../../../../support/values/host_columns.ts";

/** Asserts that the rows of a kernel are the wanted ones, with their sign of 0 and one NaN. */
function assertRows(
  scalar: Scalar,
  inputs: readonly (readonly Value[])[],
  types: readonly ScalarType[],
  wanted: readonly Answer[],
  what: string,
): void {
  const kernel = rowKernel(
    [{ do: "result", words: [scalar] }],
    types.map((type) => TYPE_OF_SCALAR[type]),
    TYPE_OF_SCALAR[scalar.type],
  );
  const columns = inputs.map((values, i) => columnOf(TYPE_OF_SCALAR[types[i]!], values));
  const result = runAsWasm(kernel, columns, wanted.length);
  const bits = new BigInt64Array(
    result.data.buffer,
    result.data.byteOffset,
    scalar.type === "f64" ? wanted.length : 0,
  );
  valuesOf(result).forEach((value, row) => {
    const isSame = scalar.type === "f64"
      ? bits[row] === bitsOf(Number(wanted[row]))
      : Object.is(value, wanted[row]);
    if (isSame) return;
    const operands = inputs.map((values) => String(values[row]));
    assertEquals(value, wanted[row], `${what} of ${operands}, row ${row}`);
    throw new Error(`${what} of ${operands} has the bits ${bits[row]}`);
  });
}

/** Makes a kernel worth WebAssembly without a change of its value. */
function asLong(scalar: Scalar): Scalar {
  const zero: Scalar = {
    op: "binary",
    type: "i64",
    fn: "^",
    left: rowOf("i64", 2),
    right: rowOf("i64", 2),
  };
  const test: Scalar = {
    op: "binary",
    type: "bool",
    fn: "==",
    left: zero,
    right: constant("i64", 0n),
  };
  return {
    op: "select",
    type: scalar.type,
    test,
    yes: scalar,
    no: constant(scalar.type, scalar.type === "bool" ? true : 1),
  };
}

Deno.test("operators of two rows have the values of exact arithmetic", () =>
  forSeeds(2, (random) => {
    for (const [fn, left, right, meaning] of BINARY) {
      const pairs = EDGES[left].flatMap((a: Answer) => EDGES[right].map((b: Answer) => [a, b]));
      for (let i = 0; i < 500; i++) pairs.push([draw(left, random), draw(right, random)]);
      const wanted = pairs.map(([a, b]) => meaning(a!, b!));
      const folded = pairs.map(([a, b]) => evaluateBinary(fn, a!, b!, left));
      assertEquals(folded, wanted, `${fn} of constants`);
      const type = typeof wanted[0] === "boolean" ? "bool" : fn === "join" ? "i64" : left;
      const operands = { left: rowOf(left, 0), right: rowOf(right, 1) };
      const inputs = [pairs.map(([a]) => a!), pairs.map(([, b]) => b!), pairs.map(() => 1n)];
      const scalar = asLong({ op: "binary", type, fn, ...operands });
      assertRows(scalar, inputs, [left, right, "i64"], wanted, fn);
    }
  }));

Deno.test("operators of a row and a constant have the values of exact arithmetic", () =>
  forSeeds(1, (random) => {
    for (const [fn, left, right, meaning] of BINARY) {
      const type = typeof meaning(EDGES[left][0]!, EDGES[right][0]!) === "boolean"
        ? "bool"
        : fn === "join"
        ? "i64"
        : left;
      for (const isLeft of [true, false]) {
        const [known, other] = isLeft ? [left, right] : [right, left];
        for (const value of [...EDGES[known], draw(known, random), draw(known, random)]) {
          const rows: Answer[] = [...EDGES[other]];
          for (let i = 0; i < 50; i++) rows.push(draw(other, random));
          // The ends of what fits.
          const about = typeof value === "bigint" && value !== 0n && other === "i64" ? value : 1n;
          for (const by of other === "i64" ? [-1n, 0n, 1n] : []) {
            rows.push(wrap(2n ** 63n / about + by), wrap(-(2n ** 63n) / about + by));
            rows.push(wrap(2n ** 64n / about + by), wrap(2n ** 63n - about + by), wrap(about + by));
          }
          const wanted = rows.map((row) => isLeft ? meaning(value, row) : meaning(row, value));
          const [a, b] = [constant(known, value), rowOf(other, 0)];
          const operands = isLeft ? { left: a, right: b } : { left: b, right: a };
          const scalar = asLong({ op: "binary", type, fn, ...operands });
          const what = isLeft ? `${value} ${fn}` : `${fn} ${value}`;
          assertRows(scalar, [rows, rows, rows.map(() => 1n)], [other, other, "i64"], wanted, what);
        }
      }
    }
  }));

Deno.test("unary operators and conversions have the values of exact arithmetic", () =>
  forSeeds(3, (random) => {
    const check = (
      of: ScalarType,
      meaning: (value: never) => Answer,
      folded: (value: Answer) => Answer,
      scalar: Scalar,
      what: string,
    ) => {
      const rows: Answer[] = [...EDGES[of]];
      for (let i = 0; i < 500; i++) rows.push(draw(of, random));
      const wanted = rows.map((row) => meaning(row as never));
      assertEquals(rows.map(folded), wanted, `${what} of constants`);
      assertRows(asLong(scalar), [rows, rows, rows.map(() => 1n)], [of, of, "i64"], wanted, what);
    };
    for (const [fn, type, meaning] of UNARY) {
      const scalar: Scalar = { op: "unary", type, fn, value: rowOf(type, 0) };
      check(type, meaning, (value) => evaluateUnary(fn, value, type), scalar, `${fn} of ${type}`);
    }
    for (const [fn, from, type, meaning] of CONVERSIONS) {
      const scalar: Scalar = { op: "convert", type, fn, value: rowOf(from, 0) };
      const folded = (value: Answer) => evaluateConvert(fn, value, type);
      check(from, meaning, folded, scalar, `${fn} of ${from} to ${type}`);
    }
  }));

Deno.test("a float32 is read exactly, and the nearest one is stored, with one NaN", () =>
  forSeeds(5, (random) => {
    const float32 = { kind: "float", bits: 32 } as const;
    const rows = Array.from({ length: 500 }, () => [draw("f64", random), draw("f64", random)])
      .map(([a, b]) => [Math.fround(Number(a)), Number(b)] as const);
    const columns = [
      columnOf(float32, rows.map(([a]) => a)),
      columnOf(TYPE_OF_SCALAR.f64, rows.map(([, b]) => b)),
      columnOf(TYPE_OF_SCALAR.i64, rows.map(() => 1n)),
    ];
    const sum = { op: "binary", type: "f64", fn: "+", left: rowOf("f64", 0) } as const;
    const scalar = asLong({ ...sum, right: rowOf("f64", 1) });
    const types = columns.map(({ type }) => type);
    const kernel = rowKernel([{ do: "result", words: [scalar] }], types, float32);
    const { data } = runAsWasm(kernel, columns, rows.length);
    const wanted = Float32Array.from(rows, ([a, b]) => a + b);
    const bits = new Int32Array(wanted.buffer).map((word, i) =>
      Number.isNaN(wanted[i]) ? 0x7fc00000 : word
    );
    assertEquals(new Int32Array(data.slice().buffer), bits);
    const halves = types.with(0, { kind: "float", bits: 16 });
    assertEquals(emitWasm(rowKernel([{ do: "result", words: [scalar] }], halves, float32)), null);
  }));
