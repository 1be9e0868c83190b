import { assertEquals, assertThrows } from "@std/assert";
import { Bool, type DataType, DateDay, Float64, Int32, Int64, Utf8 } from "apache-arrow";
import { Field, Schema } from "apache-arrow";
import { bindExpr } from "../../../../ops/expr/bind.ts";
import { parseExpr } from "../../../../ops/expr/parse.ts";
import { col } from "../../../../ops/expr/expr.ts";
import { evaluateTyped, type TypedColumns } from "../../../support/kernels/programs.ts";

const evaluate = (text: string, columns: TypedColumns) => evaluateTyped(parseExpr(text), columns);

function typeOf(text: string, columns: TypedColumns): DataType {
  const fields = Object.entries(columns).map(([name, [type]]) => new Field(name, type, true));
  return bindExpr(parseExpr(text), new Schema(fields)).type;
}

const TESTS = [true, false, null];

Deno.test("any and all of three tests are those of SQL, where null is unknown", () => {
  const rows = TESTS.flatMap((a) => TESTS.flatMap((b) => TESTS.map((c) => [a, b, c])));
  const columns = Object.fromEntries(
    ["a", "b", "c"].map((name, k) => [name, [new Bool(), rows.map((row) => row[k]!)]] as const),
  );
  const known = (row: (boolean | null)[], wins: boolean) =>
    row.includes(wins) ? wins : row.includes(null) ? null : !wins;
  assertEquals(evaluate("any(a, b, c)", columns), rows.map((row) => known(row, true)));
  assertEquals(evaluate("a.all(b, c)", columns), rows.map((row) => known(row, false)));
  assertThrows(() => parseExpr("a.any()"), Error, "any() takes two tests or more");
});

Deno.test("recode takes keys of the type of the value, and the other for the rest and for null", () => {
  const columns = {
    s: [new Utf8(), ["CA", "NV", "TX", null]],
    n: [new Int64(), [1n, 2n ** 53n + 1n, 3n, null]],
    f: [new Float64(), [0.5, 1, NaN, null]],
    b: [new Bool(), [true, false, null, true]],
    d: [new DateDay(), [0, 1, 19782, null]],
  } as const;
  assertEquals(evaluate('s.recode({ CA: "x", NV: "y" })', columns), ["x", "y", null, null]);
  assertEquals(evaluate('s.recode({ CA: "x" }, s)', columns), ["x", "NV", "TX", null]);
  assertEquals(evaluate("s.recode({ CA: 2.5, NV: 1 }, 0)", columns), [2.5, 1, 0, 0]);
  assertEquals(evaluate("s.recode({ CA: 1, NV: 2.5 }, 0)", columns), [1, 2.5, 0, 0]);
  assertEquals(evaluate('n.recode({ 1: "a", 9007199254740993: "b" }, "-")', columns), [
    ...["a", "b", "-", "-"],
  ]);
  assertEquals(evaluate('f.recode({ 0.5: "half", NaN: "none" }, "-")', columns), [
    ...["half", "-", "none", "-"],
  ]);
  assertEquals(evaluate("b.recode({ true: 1, false: 0 }, -1)", columns), [1, 0, -1, 1]);
  assertEquals(evaluate('d.recode({ "2024-02-29": "leap" })', columns), [null, null, "leap", null]);
  assertEquals(evaluateTyped(col("s").recode({ CA: 1 }), columns), [1, null, null, null]);
  const table = (size: number) =>
    Object.fromEntries(Array.from({ length: size }, (_, k) => [`NV${k || ""}`, k]));
  assertEquals(evaluateTyped(col("s").recode(table(400), -1), columns), [-1, 0, -1, -1]);
  assertThrows(() => col("s").recode(table(401)), RangeError, "more than 400; join a file");
  assertThrows(() => parseExpr("s.recode({})"), Error, "the table is empty");
  assertThrows(() => parseExpr("s.recode([1])"), Error, "{ value: result, ... }");
  assertThrows(
    () => evaluate("n.recode({ x: 1 })", columns),
    Error,
    'cannot compare n (int64) with "x"',
  );
});

Deno.test("an integer and a float in one choice give float64, and beyond 2^53 the nearest", () => {
  const columns = {
    b: [new Bool(), [true, false, null]],
    n: [new Int64(), [2n ** 53n + 1n, null, 3n]],
    i: [new Int32(), [7, null, 3]],
    f: [new Float64(), [0.5, 1.5, null]],
  } as const;
  const wanted: Readonly<Record<string, readonly (number | null)[]>> = {
    "b ? n : f": [2 ** 53, 1.5, null],
    "b ? f : n": [0.5, null, 3],
    "f.fillNull(i)": [0.5, 1.5, 3],
    "i.fillNull(0.5)": [7, 0.5, 3],
    "coalesce(i, f)": [7, 1.5, 3],
    "greatest(n, f)": [2 ** 53, 1.5, 3],
    "least(i, f)": [0.5, 1.5, 3],
  };
  for (const [text, rows] of Object.entries(wanted)) {
    assertEquals(String(typeOf(text, columns)), "Float64", text);
    assertEquals(evaluate(text, columns), rows, text);
  }
});

Deno.test("a null in a branch is null, beside columns with nulls too", () => {
  const whole = (value: number | null) => value === null ? null : BigInt(value);
  const rows = [true, false].flatMap((p) =>
    [1, null].flatMap((w) => [7, null].flatMap((x) => [2, null].map((y) => ({ p, w, x, y }))))
  );
  const columns = {
    p: [new Bool(), rows.map(({ p }) => p)],
    w: [new Int64(), rows.map(({ w }) => whole(w))],
    x: [new Int64(), rows.map(({ x }) => whole(x))],
    y: [new Int64(), rows.map(({ y }) => whole(y))],
  } as const;
  const chosen = ({ p, x, y }: (typeof rows)[number]) =>
    p ? (x === null || y === null ? null : x % y) : y;
  const sums = rows.map((row) => {
    const value = chosen(row);
    return row.w === null || value === null ? null : BigInt(row.w + value);
  });
  assertEquals(evaluate("w + (p ? x % y : y)", columns), sums);
  assertEquals(evaluate("(w + (p ? x % y : y)).orNull()", columns), sums);
});
