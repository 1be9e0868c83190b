import { assertEquals, assertThrows } from "@std/assert";
import { parseExpr } from "../../../../ops/expr/parse.ts";
import { col, lit, printExpr } from "../../../../ops/expr/expr.ts";
import type { Value } from "../../../../ops/syntax/expr_base.ts";
import { evaluateExpr, type PlainColumns } from "../../../support/expressions/evaluate_expr.ts";

const COLUMNS: PlainColumns = {
  s: ["a", "b", null],
  x: [3, 777_345_918, 2],
};

/** Only the second row asks for too much, and there it is in a branch that is not taken. */
const NOT_TAKEN: Readonly<Record<string, readonly (string | boolean | null)[]>> = {
  's.fillNull("".pad(x))': ["a", "b", "  "],
  's.fillNull("1".zfill(x))': ["a", "b", "01"],
  's.fillNull("ab".repeat(x).upper())': ["a", "b", "ABAB"],
  'x < 10 ? "ab".repeat(x) : s': ["ababab", "b", "abab"],
  's == "b" ? s : "".pad(x, "right", ".")': ["...", "b", ".."],
  's.isNull() ? "ab".repeat(x) : x < 10 ? s.pad(x) : s': ["  a", "b", "abab"],
  'x < 10 ? "ab".repeat(x).upper().startsWith("AB") : false': [true, false, true],
  'x < 10 ? ("-".repeat(x) + s).length() > 2 : false': [true, false, null],
  'x < 10 ? s : (s.isNull() ? "ab".repeat(2147483647) : s)': ["a", "b", null],
};

Deno.test("text that is too long fails only where its branch is taken", () => {
  for (const fuse of [true, false]) {
    for (const [text, expected] of Object.entries(NOT_TAKEN)) {
      assertEquals(
        evaluateExpr(parseExpr(text), COLUMNS, { fuse }),
        expected,
        `${text}, fuse: ${fuse}`,
      );
    }
    for (
      const text of ['s == "b" ? "".pad(x) : s', '(x > 9 ? null : s).fillNull("ab".repeat(x))']
    ) {
      assertThrows(
        () => evaluateExpr(parseExpr(text), COLUMNS, { fuse }),
        Error,
        "Size of output exceeds",
      );
    }
  }
});

/** Starts of each other, a zero byte, and characters that UTF-16 puts in another order. */
const TEXTS = [
  null,
  "",
  "\u0000",
  "a",
  "a\u0000",
  "ab",
  "abcdefgh",
  "abcdefghi",
  "abcdefghij",
  "abcdefghiz",
  "b",
  "é",
  "\u{e000}",
  "\u{ffff}",
  "\u{10000}",
  "🙂",
];
const PAIRS = TEXTS.flatMap((a) => TEXTS.map((b) => ({ a, b })));
const PAIR_COLUMNS = { a: PAIRS.map(({ a }) => a), b: PAIRS.map(({ b }) => b) };

const OPERATORS = {
  eq: (order: number) => order === 0,
  ne: (order: number) => order !== 0,
  lt: (order: number) => order < 0,
  le: (order: number) => order <= 0,
  gt: (order: number) => order > 0,
  ge: (order: number) => order >= 0,
} as const;

for (const [name, holds] of Object.entries(OPERATORS)) {
  const operator = name as keyof typeof OPERATORS;
  const answer = (a: string | null, b: string | null) =>
    a === null || b === null ? null : holds(order(a, b));

  Deno.test(`${name}() of two columns of text is by bytes, and null where one is null`, () => {
    const expected = PAIRS.map(({ a, b }) => answer(a, b));
    for (const fuse of [true, false]) {
      assertEquals(evaluateExpr(col("a")[operator](col("b")), PAIR_COLUMNS, { fuse }), expected);
    }
  });

  Deno.test(`${name}() of a column and a literal, on either side, agrees with that`, () => {
    for (const text of TEXTS) {
      if (text === null) continue;
      const sides: [Value, Value][] = [[col("a"), text], [text, col("a")]];
      for (const [left, right] of sides) {
        const expr = (typeof left === "string" ? lit(left) : col("a"))[operator](right);
        const expected = TEXTS.map((a) => left === text ? answer(text, a) : answer(a, text));
        assertEquals(evaluateExpr(expr, { a: TEXTS }), expected, printExpr(expr));
      }
    }
  });
}

function order(left: string, right: string): number {
  const [a, b] = [new TextEncoder().encode(left), new TextEncoder().encode(right)];
  const at = a.findIndex((byte, index) => byte !== b[index]);
  return at < 0 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1);
}
