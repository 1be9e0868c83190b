import { assertEquals } from "@std/assert";
import { caseTablesModule } from "../../../../scripts/generate_case_tables.ts";
import { col } from "../../../../ops/expr/expr.ts";
import { evaluateExpr } from "../../../support/expressions/evaluate_expr.ts";
import {
  capitalize,
  isLower,
  isTitle,
  isUpper,
  lower,
  swapcase,
  title,
} from "../../../../ops/string/operations.ts";
import {
  askPython,
  CHARACTERS,
  pythonCharacters,
  pythonTest,
} from "../../../support/judges/python.ts";
import { forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";
import { fewOr, someOf } from "../../../support/random/test_size.ts";

/** Characters in rows of 64. */
const ROWS = someOf(
  Array.from(
    { length: CHARACTERS.length / 64 },
    (_, row) => CHARACTERS.slice(64 * row, 64 * (row + 1)),
  ),
  1000,
);
const TEXTS = ROWS.map((row) => row.join(""));

Deno.test("upper() maps every character as JavaScript does", () => {
  const expected = ROWS.map((row) => row.map((char) => char.toUpperCase()).join(""));
  assertEquals(firstDifference(evaluateExpr(col("text").upper(), { text: TEXTS }), expected), null);
});

Deno.test("lower() maps every character as JavaScript does", () => {
  const expected = TEXTS.map((text) => text.toLowerCase());
  assertEquals(firstDifference(evaluateExpr(col("text").lower(), { text: TEXTS }), expected), null);
});

Deno.test("lower() gives ς at the end of a word, over what case ignores", () => {
  const text = [
    "ΟΔΟΣ",
    "Σ",
    "ΟΔΟΣ Σ",
    "ΣΑΣ",
    "Α.Σ.",
    "Α.Σ.Α",
    "ΑΣΣ",
    "αΣ\u0301",
    "aΣ1b",
    "ʰΣ",
    "ΑʰΣ",
  ];
  const expected = text.map((item) => item.toLowerCase());
  assertEquals(expected.slice(0, 3), ["οδος", "σ", "οδος σ"]);
  assertEquals(evaluateExpr(col("text").lower(), { text }), expected);
});

/** Letters whose capitals are newer than Unicode 14, which Python 3.11 has. */
const NEWER = "\u019b\u0264";

pythonTest(
  "swapcase(), capitalize() and title() make of each character what Python does",
  async () => {
    const python = await pythonCharacters();
    const known = CHARACTERS.filter((char) => python.is("assigned", char) && !NEWER.includes(char));
    const text = someOf(known, 10_000);
    for (const op of someOf([swapcase, capitalize, title], 1)) {
      const expected = text.map((char) => python.map(op.spec.name, char));
      assertEquals(firstDifference(evaluateExpr(op(col("text")), { text }), expected), null);
    }
  },
);

pythonTest("lower(), swapcase(), capitalize() and title() agree with Python on words", async () => {
  await forSeeds(fewOr(2, 10), async (random) => {
    const text = Array.from({ length: 1000 }, () => randomWord(random));
    const ops = [lower, swapcase, capitalize, title, isTitle, isUpper, isLower];
    const answers = await askPython(
      ops.flatMap(({ spec }) => text.map((text) => ({ op: spec.name, text, args: [] }))),
    );
    for (const [index, op] of ops.entries()) {
      const expected = answers.slice(index * text.length, (index + 1) * text.length);
      assertEquals(firstDifference(evaluateExpr(op(col("text")), { text }), expected), null);
    }
  });
});

/** Letters of three cases and of none, and what case ignores, of which some have case too. */
const WORD = [..."aAéßŉǆǅǄﬁᾳᾼაΑαΣΣΣσςİıⓐⅣ1 -'.:^\u0301\u0345ʰ\u{1d2c}\u{10400}\u{10428}"];

function randomWord(random: SeededRandom): string {
  return Array.from({ length: random.below(9) }, () => random.pick(WORD)).join("");
}

pythonTest(
  "strip() takes every character that Python calls white space, and no other",
  async () => {
    // White space lies among the first.
    const others = someOf(CHARACTERS.slice(0x3100, 0x11000), 5000);
    const text = [...CHARACTERS.slice(0, 0x3100), ...others].map((char) => `${char}a${char}`);
    const expected = await askPython(text.map((text) => ({ op: "strip", text, args: [] })));
    assertEquals(firstDifference(evaluateExpr(col("text").strip(), { text }), expected), null);
  },
);

Deno.test("the case tables are what the script writes", async () => {
  const written = await Deno.readTextFile(
    new URL("../../../../ops/string/generated/case_tables.ts", import.meta.url),
  );
  assertEquals(written, caseTablesModule());
});

function firstDifference(actual: readonly unknown[], expected: readonly unknown[]) {
  const row = expected.findIndex((_, row) => actual[row] !== expected[row]);
  return row < 0 ? null : { row, actual: actual[row], expected: expected[row] };
}
