import { assertEquals } from "@std/assert";
import { col } from "../../../../ops/expr/expr.ts";
import { isEastAsian } from "../../../../ops/string/character_kinds.ts";
import { evaluateExpr } from "../../../support/expressions/evaluate_expr.ts";

Deno.test("estimateTokens() counts runs of letters and digits, and other characters", () => {
  const cases: [string | null, number | null][] = [
    [null, null],
    ["", 0],
    ["a", 1],
    ["four", 1],
    ["fives", 2],
    ["naïveté", 2],
    ["123", 1],
    ["1234", 2],
    ["12,345.6", 5],
    ["a1b2", 4],
    ["don't", 3],
    ["🙂🙂", 2],
    ["漢字かなカナ한글", 8],
    ["ab漢cd", 3],
    [" \t\u{3000}\n", 0],
    ["Обнинск и Тула", 4],
  ];
  const text = cases.map(([text]) => text);
  assertEquals(
    evaluateExpr(col("text").estimateTokens(), { text }),
    cases.map(([, tokens]) => tokens),
  );
});

Deno.test("the letters that count by themselves are those of Chinese, Japanese and Korean", () => {
  const scripts = ["Han", "Hiragana", "Katakana", "Hangul", "Bopomofo"];
  const ofScripts = (property: string) =>
    new RegExp(`[${scripts.map((name) => `\\p{${property}=${name}}`).join("")}]`, "u");
  const own = ofScripts("Script");
  // Letters that these scripts share with others have a script of none.
  const shared = ofScripts("Script_Extensions");
  const wrong: string[] = [];
  for (let code = 0; code < 0x110000; code++) {
    const char = String.fromCodePoint(code);
    if (!/\p{L}/u.test(char)) continue;
    const isRight = isEastAsian(code) ? shared.test(char) : !own.test(char);
    if (!isRight) wrong.push(code.toString(16));
  }
  assertEquals(wrong, []);
});
