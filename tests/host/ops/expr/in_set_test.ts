import { assertEquals, assertThrows } from "@std/assert";
import { Date_, DateUnit, Field, Float32, Float64, Int64, Schema, Uint64 } from "apache-arrow";
import { checkStringOp } from "../../../../ops/plugin/check_string_op.ts";
import { columnTypeOf } from "../../../../ops/batch/arrow_types.ts";
import { bindExpr } from "../../../../ops/expr/bind.ts";
import { compileExprs } from "../../../../ops/expr/compile_exprs.ts";
import { inNumbers, inTexts } from "../../../../ops/expr/in_set.ts";
import { evaluateAround } from "../../../support/kernels/evaluate_around.ts";
import { columnOf, type Value, valuesOf } from "../../../support/values/host_columns.ts";
import { coalesce, col, type Expr, lit, printExpr } from "../../../../ops/expr/expr.ts";
import type { Literal } from "../../../../ops/syntax/literal.ts";
import { parseExpr } from "../../../../ops/expr/parse.ts";
import { evaluateExpr } from "../../../support/expressions/evaluate_expr.ts";
import { queryDuckDb } from "../../../support/judges/peers.ts";
import { randomText, randomTexts } from "../../../support/random/random_text.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";
import { testKernels } from "../../../support/kernels/test_kernels.ts";
import { fewOr, someOf } from "../../../support/random/test_size.ts";

Deno.test("isIn() of texts agrees with a loop over the list, and with SQL where a null is in it", async () => {
  checkStringOp(inTexts);
  await forSeeds(fewOr(6, 20), (random) => {
    const texts = randomTexts(random, 60);
    for (const size of [0, 1, 2, 9, 300]) {
      const list = Array.from({ length: size }, () => randomText(random, 4));
      const values = [...list, ...texts.filter((text) => text !== null).slice(0, size)];
      const expected = texts.map((text) => text === null ? null : values.includes(text));
      for (const fuse of [true, false]) {
        assertEquals(evaluateExpr(col("text").isIn(values), { text: texts }, { fuse }), expected);
        assertEquals(
          evaluateExpr(col("text").isIn(...values, null), { text: texts }, { fuse }),
          expected.map((isFound) => isFound || null),
        );
      }
    }
  });
});

Deno.test("isIn() of numbers compares exactly, as == does", () => {
  const n = [1, 2, 3, -2147483648, 2147483647, null, 0];
  const cases: [Literal[], (boolean | null)[]][] = [
    [[], [false, false, false, false, false, null, false]],
    [[2.5, 1e300, NaN, 2147483648], [false, false, false, false, false, null, false]],
    [[2], [false, true, false, false, false, null, false]],
    [[2.5, 3, 3n, 1], [true, false, true, false, false, null, false]],
    [[2147483647, -2147483648n, 2 ** 40], [false, false, false, true, true, null, false]],
    [[1, null], [true, null, null, null, null, null, null]],
    [[null], [null, null, null, null, null, null, null]],
  ];
  for (const [values, expected] of cases) {
    assertEquals(evaluateExpr(col("n").isIn(values), { n }), expected, values.join());
    assertEquals(evaluateExpr(col("n").isIn(...values), { n }), expected, values.join());
  }
});

Deno.test("isIn() of a thousand numbers finds each of them and nothing else", () => {
  const values = Array.from({ length: 1_000 }, (_, i) => i * i - 500_000);
  const n = Array.from({ length: 20_000 }, (_, i) => i % 7 === 0 ? null : i * 50 - 500_000);
  const listed = new Set(values);
  assertEquals(
    evaluateExpr(col("n").isIn(values), { n }),
    n.map((value) => value === null ? null : listed.has(value)),
  );
});

Deno.test("isIn() takes more values than a call has room for", () => {
  const words = Array.from({ length: 200_000 }, (_, i) => `word ${i}`);
  const numbers = words.map((_, i) => i * 3);
  const text = ["word 0", "word 199999", "word 200000", null, "word", "word 77777"];
  const n = [0, 599_997, 600_000, null, 1, 300_000];
  const expected = [true, true, false, null, false, true];
  assertEquals(evaluateExpr(col("text").isIn(words), { text }), expected);
  assertEquals(evaluateExpr(col("n").isIn(numbers), { n }), expected);
  for (const [open, close] of someOf([["[", "]"], ["", ""]], 1)) {
    const listed = `${open}${JSON.stringify(words).slice(1, -1)}${close}`;
    assertEquals(evaluateExpr(parseExpr(`text.isIn(${listed})`), { text }), expected);
    assertEquals(evaluateExpr(parseExpr(`n.isIn(${open}${numbers}${close})`), { n }), expected);
  }
});

const TYPED = {
  i64: new Int64(),
  u64: new Uint64(),
  f32: new Float32(),
  f64: new Float64(),
  day: new Date_(DateUnit.DAY),
} as const;

Deno.test("isIn() gives what == gives for each literal, in every type, few or many", () => {
  checkStringOp(inNumbers);
  const huge = 2n ** 63n;
  const columns: Readonly<Record<keyof typeof TYPED, readonly Value[]>> = {
    i64: [0n, -1n, huge - 1n, -huge, 5n, 2n ** 32n, null],
    u64: [0n, huge, 2n * huge - 1n, 5n, 2n ** 32n, null],
    f32: [0, -0, 0.5, Math.fround(0.1), NaN, Infinity, -Infinity, 2 ** 24, null],
    f64: [0, -0, 0.1, NaN, Infinity, -Infinity, 2 ** 53, 5e-324, null],
    day: [0, 1, -1, 19000, null],
  };
  const numbers = [0, -1, 5, 0.5, 0.1, NaN, Infinity, huge, -huge, 2 ** 32, 2 ** 53];
  const days = ["1970-01-01", "1970-01-02", "1969-12-31", "2022-01-08", "0001-01-01", "2000-02-29"];
  for (const [name, values] of Object.entries(columns)) {
    const literals: Literal[] = name === "day" ? days : [...numbers];
    // No float is this number, and a comparison with it is refused.
    if (name === "i64" || name === "u64") literals.push(huge - 1n);
    for (let stop = 1; stop <= literals.length; stop++) {
      const list = literals.slice(0, stop);
      const each = list.map((literal) => typedRows(col(name).eq(literal), name, values));
      const expected = values.map((_, row) =>
        each.reduce<Value>((found, rows) => found || rows[row]!, false)
      );
      assertEquals(typedRows(col(name).isIn(list), name, values), expected, `${name} ${list}`);
    }
  }
});

/** The rows of an expression over a column of one of the types. */
function typedRows(expr: Expr, name: string, values: readonly Value[]): Value[] {
  const type = TYPED[name as keyof typeof TYPED];
  const schema = new Schema([new Field(name, type, true)]);
  const { program } = compileExprs([bindExpr(expr, schema)], { names: [name] });
  const input = columnOf(columnTypeOf(type), values);
  return valuesOf(evaluateAround(program, [input], values.length, testKernels())[0]!);
}

Deno.test("isIn() agrees with DuckDB's IN", async () => {
  const text = ["a", "b", "", null, "é"];
  const lists: Literal[][] = [["a"], ["a", ""], ["a", null], ["é", "b", "x"], [null]];
  const sql = (value: Literal) => value === null ? "NULL" : `'${value}'`;
  const rows = await queryDuckDb(
    `SELECT ${lists.map((list, i) => `t IN (${list.map(sql).join(", ")}) AS c${i}`).join(", ")}
     FROM (VALUES ${text.map((value) => `(${sql(value)})`).join(", ")}) AS v(t)`,
  );
  for (const [index, list] of lists.entries()) {
    const expected = rows.map((row) => row[`c${index}`] as boolean | null);
    assertEquals(evaluateExpr(col("text").isIn(list), { text }), expected);
  }
});

Deno.test("isIn() is written with a list or with values, and prints as a list", () => {
  const printed = 'name.isIn(["a", "b", null])';
  for (const text of [printed, "name.isIn('a', 'b', null)", "isIn(name, ['a', 'b', null])"]) {
    assertEquals(printExpr(parseExpr(text)), printed);
    assertEquals(parseExpr(text).node, col("name").isIn("a", "b", null).node);
  }
  assertEquals(printExpr(lit(-1).isIn([-2, 3n])), "(-1).isIn([-2, 3n])");
  assertEquals(evaluateExpr(lit("a").isIn("b", "a"), {}), [true]);
});

Deno.test("isIn() refuses columns, and literals of another type", () => {
  assertThrows(() => col("a").isIn(col("b")), TypeError, "isIn() takes literals");
  assertThrows(() => parseExpr("a.isIn([b])"), Error, "The items of a list must be literals");
  assertThrows(() => parseExpr("a.isIn(b)"), Error, "isIn() takes literals");
  assertThrows(() => parseExpr("isIn()"), Error, "isIn() needs the value that it works on");
  assertThrows(
    () => evaluateExpr(parseExpr("a.isIn(['x', 5])"), { a: ["x"] }),
    Error,
    "Cannot compare a (string) with 5",
  );
});

Deno.test("coalesce() gives the first value that is not null", () => {
  const columns = { a: [null, "a", null], b: ["b", null, null] };
  for (const text of ["coalesce(a, b, '?')", "a.coalesce(b, '?')"]) {
    assertEquals(evaluateExpr(parseExpr(text), columns), ["b", "a", "?"]);
  }
  assertEquals(evaluateExpr(parseExpr("coalesce(a, b)"), columns), ["b", "a", null]);
  assertEquals(evaluateExpr(parseExpr("coalesce(a)"), columns), [null, "a", null]);
  assertEquals(evaluateExpr(parseExpr("coalesce(n, 5)"), { n: [null, 1] }), [5, 1]);
  assertThrows(() => parseExpr("coalesce()"), Error, "coalesce() takes at least 1 value");
  const none = coalesce as (...values: unknown[]) => unknown;
  assertThrows(() => none(), TypeError, "coalesce() takes at least one value");
  for (const name of ["isNull", "fillNull", "ifElse"]) {
    assertThrows(() => parseExpr(`${name}()`), Error, `${name}() needs the value that it works on`);
  }
  assertThrows(
    () => evaluateExpr(parseExpr("coalesce(a, 5)"), columns),
    Error,
    "fillNull() needs two values of one type",
  );
});
