import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { DateDay, Float32, Float64, Int16, Int64, Uint64, Utf8 } from "apache-arrow";
import { ExprError } from "../../../../base/errors/expr_error.ts";
import { col } from "../../../../ops/expr/expr.ts";
import { parseExpr } from "../../../../ops/expr/parse.ts";
import { queryDuckDb } from "../../../support/judges/peers.ts";
import { evaluateTyped, type TypedColumns } from "../../../support/kernels/programs.ts";
import { forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";
import { fewOr } from "../../../support/random/test_size.ts";

const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;

function evaluate(text: string, columns: TypedColumns) {
  return evaluateTyped(parseExpr(text), columns);
}

Deno.test("abs() and sign() keep the type of floats, and whole numbers are of 64 bits", () => {
  const longs = { x: [new Int64(), [5n, -5n, 0n, MAX, MIN + 1n, null]] } as const;
  assertEquals(evaluate("x.abs()", longs), [5n, 5n, 0n, MAX, MAX, null]);
  assertEquals(evaluate("x.sign()", longs), [1, -1, 0, 1, -1, null]);
  const wide = { x: [new Uint64(), [0n, 2n ** 64n - 1n, 2n ** 63n]] } as const;
  assertEquals(evaluate("abs(x)", wide), [0n, 2n ** 64n - 1n, 2n ** 63n]);
  assertEquals(evaluate("sign(x)", wide), [0, 1, 1]);
  const floats = { x: [new Float64(), [-2.5, -0, 0, NaN, -Infinity]] } as const;
  const pairs: [string, number[]][] = [
    ["abs(x)", [2.5, 0, 0, NaN, Infinity]],
    ["sign(x)", [-1, -0, 0, NaN, -1]],
  ];
  for (const [text, values] of pairs) {
    evaluate(text, floats).forEach((value, row) => assertStrictEquals(value, values[row]!, text));
  }
});

Deno.test("the least int64 has no absolute value, which is an error, or null", () => {
  const least = { x: [new Int64(), [1n, MIN]] } as const;
  assertEquals(evaluate("x.abs().orNull()", least), [1n, null]);
  assertEquals(evaluate("x.abs()", { x: [new Int16(), [-(2 ** 15)]] }), [2n ** 15n]);
});

Deno.test("clamp() limits numbers of every type, and leaves NaN and null", () => {
  const longs = { x: [new Int64(), [MIN, -1n, 5n, MAX, null]] } as const;
  assertEquals(evaluate("x.clamp(0, 10)", longs), [0n, 0n, 5n, 10n, null]);
  assertEquals(evaluate("x.clamp(0)", longs), [0n, 0n, 5n, MAX, null]);
  assertEquals(evaluate("x.clamp({ high: 0 })", longs), [MIN, -1n, 0n, 0n, null]);
  assertEquals(evaluate("x.clamp(-0.5, 0.5)", longs), [-0.5, -0.5, 0.5, 0.5, null]);
  const wide = { x: [new Uint64(), [0n, 2n ** 63n, 2n ** 64n - 1n]] } as const;
  assertEquals(evaluate("x.clamp(1, 9223372036854775809)", wide), [1n, 2n ** 63n, 2n ** 63n + 1n]);
  const floats = { x: [new Float32(), [NaN, -1, 0.5, Infinity]] } as const;
  assertEquals(evaluate("x.clamp(0, 1)", floats), [NaN, 0, 0.5, 1]);
  const bounds = { x: [new Int64(), [1n, 2n]], low: [new Int64(), [5n, null]] } as const;
  assertEquals(evaluate("x.clamp(low)", bounds), [5n, null]);
  assertThrows(() => parseExpr("x.clamp()"), ExprError, "low, high or both are needed");
  assertThrows(() => parseExpr("x.clamp(3, 2)"), ExprError, "low (3) is greater than high (2)");
});

Deno.test("greatest() and least() take what compares, and leave nulls out", () => {
  const columns = {
    a: [new Float64(), [1, NaN, null, null, -1]],
    b: [new Float64(), [2, 1, 5, null, -Infinity]],
    c: [new Float64(), [null, 0.5, 4, null, 0]],
  } as const;
  assertEquals(evaluate("greatest(a, b, c)", columns), [2, NaN, 5, null, 0]);
  assertEquals(evaluate("least(a, b, c)", columns), [1, 0.5, 4, null, -Infinity]);
  assertEquals(evaluate("a.greatest(b, 0)", columns), [2, NaN, 5, 0, 0]);
  assertEquals(evaluate("a.least(null)", columns), [1, NaN, null, null, -1]);
  const texts = { t: [new Utf8(), ["b", null]], u: [new Utf8(), ["a", "z"]] } as const;
  assertEquals(evaluate("greatest(t, u)", texts), ["b", "z"]);
  const days = { d: [new DateDay(), [10, 30]], e: [new DateDay(), [20, null]] } as const;
  assertEquals(evaluate("least(d, e)", days), [10, 30]);
  assertThrows(
    () => parseExpr("greatest(a, 1, 2, 3, 4, 5, 6, 7, 8)"),
    ExprError,
    "takes no more than 7 arguments",
  );
  assertThrows(() => parseExpr("greatest(a)"), ExprError, "needs second");
});

/** Prints a value for DuckDB. */
function sql(value: number | bigint | null, type: string): string {
  if (value === null) return `NULL::${type}`;
  return typeof value === "bigint" ? `(${value})::${type}` : `'${value}'::${type}`;
}

function drawn(random: SeededRandom): number | null {
  if (random.chance(0.1)) return null;
  const edges = [0, -0, 1, -1, 0.5, -0.5, NaN, Infinity, -Infinity, 5e-324, 1e308, 2.5];
  return random.chance(0.4) ? random.pick(edges) : (random.next() - 0.5) * 2 ** random.below(40);
}

Deno.test("greatest(), least() and tests of floats agree with DuckDB", () =>
  forSeeds(fewOr(3, 20), async (random) => {
    const rows = Array.from({ length: 60 }, () => [drawn(random), drawn(random), drawn(random)]);
    const [a, b, c] = [0, 1, 2].map((k) => rows.map((row) => row[k]!)) as [
      number[],
      number[],
      number[],
    ];
    const columns: TypedColumns = {
      a: [new Float64(), a],
      b: [new Float64(), b],
      c: [new Float64(), c],
    };
    const all = {
      "greatest(a, b, c)": "greatest(a, b, c)",
      "least(a, b, c)": "least(a, b, c)",
      "isNaN(a)": "isnan(a)",
      "isFinite(a)": "isfinite(a)",
      "abs(a)": "abs(a)",
      "floor(a)": "floor(a)",
      "ceil(a)": "ceil(a)",
      "trunc(a)": "trunc(a)",
    };
    const values = rows.map((row, at) =>
      `(${at}, ${row.map((value) => sql(value, "DOUBLE")).join(", ")})`
    );
    const judged = await queryDuckDb(
      `SELECT ${Object.values(all).map((text, k) => `${text} AS r${k}`).join(", ")} ` +
        `FROM (VALUES ${values.join(", ")}) t(n, a, b, c) ORDER BY n`,
    );
    Object.keys(all).forEach((text, k) => {
      const wanted = judged.map((row) => row[`r${k}`]);
      assertEquals(evaluateTyped(parseExpr(text), columns), wanted as number[], text);
    });
  }));

Deno.test("fillNaN() replaces NaN alone, also by null", () => {
  const columns = {
    x: [new Float64(), [NaN, 1.5, null]],
    y: [new Float64(), [7, 8, 9]],
    f: [new Float32(), [NaN, 0.5, null]],
    n: [new Int64(), [1n, 2n, null]],
  } as const;
  assertEquals(evaluate("x.fillNaN(0)", columns), [0, 1.5, null]);
  assertEquals(evaluate("x.fillNaN(y)", columns), [7, 1.5, null]);
  assertEquals(evaluate("x.fillNaN(null)", columns), [null, 1.5, null]);
  assertEquals(evaluate("x.fillNaN(x.nullIf(1.5))", columns), [NaN, 1.5, null]);
  assertEquals(evaluate("f.fillNaN(0.25)", columns), [0.25, 0.5, null]);
  assertEquals(evaluate("n.fillNaN(0)", columns), [1n, 2n, null]);
  assertEquals(evaluateTyped(col("n").isNaN(), columns), [false, false, null]);
  assertEquals(evaluateTyped(col("n").isFinite(), columns), [true, true, null]);
});
