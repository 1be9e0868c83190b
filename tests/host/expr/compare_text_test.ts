import { assertEquals } from "@std/assert";
import { col, lit, type Value } from "../../../ops/expr/expr.ts";
import { printExpr } from "../../../ops/expr/print.ts";
import { evaluateExpr } from "../../support/evaluate_expr.ts";

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
const COLUMNS = { a: PAIRS.map(({ a }) => a), b: PAIRS.map(({ b }) => b) };

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
      assertEquals(evaluateExpr(col("a")[operator](col("b")), COLUMNS, { fuse }), expected);
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
