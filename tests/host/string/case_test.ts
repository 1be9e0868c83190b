import { assertEquals } from "@std/assert";
import { caseTablesModule } from "../../../scripts/generate_case_tables.ts";
import { col } from "../../../ops/expr/expr.ts";
import { evaluateExpr } from "../../support/evaluate_expr.ts";
import { askPython, hasPython } from "../../support/python.ts";

/** Every character there is. */
const CHARACTERS = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));

/** All of them in rows of 64. */
const ROWS = Array.from(
  { length: CHARACTERS.length / 64 },
  (_, row) => CHARACTERS.slice(64 * row, 64 * (row + 1)),
);
const TEXTS = ROWS.map((row) => row.join(""));

Deno.test("upper() maps every character as JavaScript does", () => {
  const expected = ROWS.map((row) => row.map((char) => char.toUpperCase()).join(""));
  assertEquals(firstDifference(evaluateExpr(col("text").upper(), { text: TEXTS }), expected), null);
});

Deno.test("lower() maps every character as JavaScript does", () => {
  const expected = ROWS.map((row) => row.map((char) => char.toLowerCase()).join(""));
  assertEquals(firstDifference(evaluateExpr(col("text").lower(), { text: TEXTS }), expected), null);
});

Deno.test("lower() gives σ at the end of a word too", () => {
  assertEquals(evaluateExpr(col("text").lower(), { text: ["ΟΔΟΣ", "ΟΔΟΣ Σ"] }), ["οδοσ", "οδοσ σ"]);
});

Deno.test("strip() takes every character that Python calls white space, and no other", {
  ignore: !hasPython,
}, async () => {
  const text = CHARACTERS.slice(0, 0x11000).map((char) => `${char}a${char}`);
  const expected = await askPython(text.map((text) => ({ op: "strip", text, args: [] })));
  assertEquals(firstDifference(evaluateExpr(col("text").strip(), { text }), expected), null);
});

Deno.test("the case tables are what the script writes", async () => {
  const written = await Deno.readTextFile(
    new URL("../../../ops/string/case_tables.ts", import.meta.url),
  );
  assertEquals(written, caseTablesModule());
});

function firstDifference(actual: readonly unknown[], expected: readonly unknown[]) {
  const row = expected.findIndex((_, row) => actual[row] !== expected[row]);
  return row < 0 ? null : { row, actual: actual[row], expected: expected[row] };
}
