import { assert, assertEquals, assertThrows } from "@std/assert";
import { Float32, Float64, Int64 } from "apache-arrow";
import { ExprError } from "../../../../base/errors/expr_error.ts";
import { parseExpr } from "../../../../ops/expr/parse.ts";
import { queryDuckDb } from "../../../support/judges/peers.ts";
import { evaluateTyped } from "../../../support/kernels/programs.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";
import { fewOr } from "../../../support/random/test_size.ts";

/** Each function, the SQL of it, and the range of its operands there. */
const FUNCTIONS: [text: string, sql: string, low: number, high: number][] = [
  ["sqrt(x)", "sqrt(x)", 0, 1e9],
  ["cbrt(x)", "cbrt(x)", -1e9, 1e9],
  ["exp(x)", "exp(x)", -700, 700],
  ["ln(x)", "ln(x)", 1e-300, 1e9],
  ["log10(x)", "log10(x)", 1e-9, 1e9],
  ["log2(x)", "log2(x)", 1e-9, 1e9],
  ["log(x, 10)", "log10(x)", 1e-9, 1e9],
  ["log(x, 2)", "log2(x)", 1e-9, 1e9],
  ["log(x, 7)", "log(7, x)", 1e-9, 1e9],
  ["sin(x)", "sin(x)", -100, 100],
  ["cos(x)", "cos(x)", -100, 100],
  ["tan(x)", "tan(x)", -100, 100],
  ["asin(x)", "asin(x)", -1, 1],
  ["acos(x)", "acos(x)", -1, 1],
  ["atan(x)", "atan(x)", -1e3, 1e3],
  ["atan2(x, y)", "atan2(x, y)", -1e3, 1e3],
  ["degrees(x)", "degrees(x)", -10, 10],
  ["radians(x)", "radians(x)", -1000, 1000],
];

for (const [text, sql, low, high] of FUNCTIONS) {
  Deno.test(`${text} is within four units in the last place of DuckDB's ${sql}`, () =>
    forSeeds(fewOr(1, 10), async (random) => {
      const draw = () => low + random.next() * (high - low);
      const rows = Array.from({ length: 200 }, () => [draw(), draw()] as const);
      const columns = {
        x: [new Float64(), rows.map(([x]) => x)],
        y: [new Float64(), rows.map(([, y]) => y)],
      } as const;
      const values = rows.map(([x, y], at) => `(${at}, '${x}'::DOUBLE, '${y}'::DOUBLE)`);
      const judged = await queryDuckDb(
        `SELECT ${sql} AS r FROM (VALUES ${values.join(", ")}) t(n, x, y) ORDER BY n`,
      );
      evaluateTyped(parseExpr(text), columns).forEach((value, row) => {
        const wanted = judged[row]!.r as number;
        const off = Math.abs(Number(value) - wanted);
        const what = `${text} of ${rows[row]!.join(", ")} is ${value}, not ${wanted}`;
        // DuckDB's own cube roots are up to 2.5 units off.
        assert(off <= 4 * 2 ** -52 * Math.abs(wanted), what);
      });
    }));
}

Deno.test("functions of floats never fail: they give NaN or an infinity", () => {
  const columns = { x: [new Float64(), [-1, 0, NaN, Infinity, null]] } as const;
  const evaluate = (text: string) => evaluateTyped(parseExpr(text), columns);
  assertEquals(evaluate("sqrt(x)"), [NaN, 0, NaN, Infinity, null]);
  assertEquals(evaluate("ln(x)"), [NaN, -Infinity, NaN, Infinity, null]);
  assertEquals(evaluate("asin(x + 3)"), [NaN, NaN, NaN, NaN, null]);
  assertEquals(evaluate("exp(x * 1000)"), [0, 1, NaN, Infinity, null]);
});

Deno.test("whole numbers are computed as float64, and float32 is rounded once to float32", () => {
  const columns = {
    n: [new Int64(), [9n, 2n ** 62n]],
    f: [new Float32(), [2, 0.5]],
  } as const;
  assertEquals(evaluateTyped(parseExpr("sqrt(n)"), columns), [3, 2 ** 31]);
  assertEquals(
    evaluateTyped(parseExpr("exp(f)"), columns),
    [2, 0.5].map(Math.exp).map(Math.fround),
  );
  assertEquals(
    evaluateTyped(parseExpr("degrees(f)"), columns),
    [2, 0.5].map((value) => Math.fround(value * (180 / Math.PI))),
  );
});

Deno.test("log() without a base says which logarithms there are", () => {
  assertThrows(() => parseExpr("log(x)"), ExprError, "ln() is the natural logarithm, and log10()");
});
