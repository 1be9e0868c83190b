import { assert, assertEquals } from "@std/assert";
import { createEngine, describeOperations, operations } from "../../../../mod.ts";
import { col, printExpr } from "../../../../ops/expr/expr.ts";
import { substituteColumns } from "../../../../ops/expr/rewrite.ts";
import { evaluateExpr } from "../../../support/expressions/evaluate_expr.ts";
import {
  columnCall,
  isConversion,
  literalCall,
  type OperationCall,
  takesColumns,
} from "../../../support/expressions/operation_calls.ts";
import { checkFolded, checkOverColumns } from "../../../support/expressions/operation_examples.ts";
import { askPython, type PythonCase, pythonTest } from "../../../support/judges/python.ts";
import { ARGUMENTS, randomText, randomTexts, TEXTS } from "../../../support/random/random_text.ts";
import { regexModel } from "../../../support/models/regex_model.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";
import { textModel } from "../../../support/models/text_model.ts";
import { queryDuckDb } from "../../../support/judges/peers.ts";
import { fewOr } from "../../../support/random/test_size.ts";

const engine = createEngine({ device: "cpu" });

for (const { name, group, examples, summary, kinds } of describeOperations()) {
  Deno.test(`the examples of ${name} hold over columns, and folded`, async () => {
    // Some receivers, such as durations, are not made of one text.
    const isFew = group !== "dates" && examples.length < 2;
    assert(!isFew, `${name} has fewer than two examples`);
    assert(summary !== "" && !summary.endsWith("."), `${name} has a summary, a clause`);
    for (const example of examples) {
      await checkOverColumns(example, engine);
      // A list is no value of an expression, and a comparison with a literal null is refused.
      const values = Object.values(example.columns);
      const isFolded = values.every((value) =>
        !Array.isArray(value) && (value !== null || !kinds.includes("language"))
      );
      if (isFolded) await checkFolded(example, engine);
    }
  });
}

Deno.test("every built-in operation is in a group, and described once", () => {
  assertEquals(operations.filter(({ spec }) => spec.group === undefined), []);
  const names = describeOperations().flatMap(({ name, aliases }) => [name, ...aliases]);
  assertEquals(names.length, new Set(names).size);
  for (const { spec } of operations) assert(names.includes(spec.name), spec.name);
});

const OTHER_GROUPS: readonly unknown[] = ["numbers", "lists", "dates", "choose"];

for (const op of operations) {
  const { name } = op.spec;
  // Operations on numbers, on dates and times, and choices have tests of their own.
  if (isConversion(op) || OTHER_GROUPS.includes(op.spec.group)) continue;

  Deno.test(`${name}() with literal arguments agrees with the model, row by row`, () =>
    forSeeds(fewOr(2, 30), (random) => {
      const texts = randomTexts(random, 50);
      assertCall(texts, literalCall(random, op, texts));
    }));

  Deno.test(`${name}() of text that is still being written agrees with the model`, () =>
    forSeeds(fewOr(2, 30), (random) => {
      const texts = randomTexts(random, 50);
      const call = literalCall(random, op, texts);
      const parts = texts.map((text) => {
        const characters = [...text ?? ""];
        const at = random.below(characters.length + 1);
        return [characters.slice(0, at).join(""), characters.slice(at).join("")] as const;
      });
      const head = texts.map((text, row) => text === null ? null : parts[row]![0]);
      const columns = { head, tail: parts.map(([, tail]) => tail), ...call.columns };
      const written = col("head").add(col("tail"));
      for (const [index, read] of call.exprs.entries()) {
        const expr = substituteColumns(read, new Map([["text", written]]));
        assertEquals(evaluateExpr(expr, columns), call.expected[index], printExpr(expr));
      }
    }));

  if (takesColumns(op)) {
    Deno.test(`${name}() with arguments from columns agrees with the model`, () =>
      forSeeds(fewOr(2, 10), (random) => {
        const texts = randomTexts(random, 200);
        assertCall(texts, columnCall(random, op, texts));
      }));
  }
}

function assertCall(texts: readonly (string | null)[], call: OperationCall): void {
  const columns = { text: texts, ...call.columns };
  for (const [index, expr] of call.exprs.entries()) {
    assertEquals(evaluateExpr(expr, columns), call.expected[index], printExpr(expr));
  }
}

pythonTest("the model agrees with Python", async () => {
  const cases: PythonCase[] = [];
  await forSeeds(fewOr(30, 300), (random) => {
    for (const name of Object.keys(textModel)) {
      // The regular expressions and the JSON of the model are JavaScript's own.
      if (name in regexModel || name === "at") continue;
      const args = ARGUMENTS[name]?.(random) ?? [];
      if (args[0] === "" && name === "replace") continue;
      for (const text of [randomText(random, 8), random.pick(TEXTS)]) {
        cases.push({ op: name, text, args });
      }
    }
  });
  const answers = await askPython(cases);
  for (const [index, { op, text, args }] of cases.entries()) {
    const expected = textModel[op]!(text, ...args);
    assertEquals(answers[index], expected, `${op} of ${JSON.stringify([text, ...args])}`);
  }
});

/** What is said of DuckDB: the operation, words of the sentence, a query, and what it gives. */
const DUCKDB: readonly (readonly [name: string, words: string, sql: string, gives: unknown])[] = [
  ["upper", "ß to ẞ", "upper('straße')", "STRAẞE"],
  ["concat", "leave nulls out", "concat('a', NULL)", "a"],
  ["concat", "leave nulls out", "concat_ws('-', 'a', NULL, 'b')", "a-b"],
  ["find", "count from 1", "strpos('ab', 'b')", 2n],
  ["find", "0 where there is none", "instr('ab', 'c')", 0n],
  ["slice", "counts from 1 and includes", "'abcdef'[2:4]", "bcd"],
  ["splitPart", "counts from 1", "split_part('a-b', '-', 1)", "a"],
  ["splitPart", "an empty text", "split_part('a-b', '-', 5)", ""],
  ["strip", "takes blanks only", "trim(chr(9) || ' a ')", "\t a"],
  ["toBoolean", "t, f, 1, 0, yes and no", "'t'::bool AND 'yes'::bool AND '1'::bool", true],
  ["toInteger", "a fraction that it rounds", "try_cast(' 1.6 ' AS BIGINT)", 2n],
  ["toFloat", "an infinity", "try_cast('1e999' AS DOUBLE)", Infinity],
  ["cast", "rounds 2.5 to an integer", "cast(2.5::DOUBLE AS BIGINT)", 2n],
  ["cast", "2^53 + 1 to a DOUBLE", "cast(9007199254740993 AS DOUBLE)", 2 ** 53],
  [
    "cast",
    "1969-12-31T23:59:59.5 to a day",
    "cast(TIMESTAMP '1969-12-31 23:59:59.5' AS DATE)::VARCHAR",
    "1969-12-31",
  ],
  ["cast", "blanks around numbers in text", "cast(' 4 ' AS INTEGER)", 4],
  ["cast", "t, yes and 1 for true", "'t'::BOOL AND 'yes'::BOOL AND '1'::BOOL", true],
  ["tryCast", "rounds 2.5 to an integer", "try_cast(2.5::DOUBLE AS BIGINT)", 2n],
];

Deno.test("what is said of DuckDB is so", async () => {
  const columns = DUCKDB.map(([, , sql], index) => `${sql} AS c${index}`);
  const [row] = await queryDuckDb(`SELECT ${columns.join(", ")}`);
  for (const [index, [name, words, sql, gives]] of DUCKDB.entries()) {
    assertSaid(name, "DuckDB", words);
    assertEquals(row?.[`c${index}`], gives, sql);
  }
});

Deno.test("what is said of JavaScript is so", () => {
  assertSaid("find", "JavaScript", "counts UTF-16 units");
  assertEquals("🙂a".indexOf("a"), 2);
  assertSaid("strip", "JavaScript", "takes U+FEFF too, and neither U+0085 nor U+001C to U+001F");
  assertEquals("\ufeff\u0085\u001c\u001f\ufeff ".trim(), "\u0085\u001c\u001f");
  assertSaid("replace", "JavaScript", "replaces the first one only");
  assertEquals("a-b-c".replace("-", " "), "a b-c");
  assertSaid("<", "JavaScript", "puts U+1F600 in front of U+FF5E");
  assertEquals("\u{1f600}" < "\uff5e", true);
  assertSaid("<", "JavaScript", "NaN has no order");
  assertSaid("==", "JavaScript", "NaN differs from NaN");
  const nan = Number("x");
  const alike = [1, nan].indexOf(nan) >= 0;
  assertEquals([1 < nan, nan < 1, alike], [false, false, false]);
});

pythonTest("what is said of Python is so", async () => {
  assertSaid("replace", "Python", "an empty target stands between all characters");
  assertSaid("splitPart", "Python", "an index out of range is an error");
  assertEquals(
    await askPython([
      { op: "replace", text: "abc", args: ["", "-"] },
      { op: "splitPart", text: "a-b", args: ["-", 5] },
    ]),
    ["-a-b-c-", null],
  );
});

function assertSaid(name: string, other: string, words: string): void {
  const { differs = [] } = describeOperations().find((operation) => operation.name === name) ?? {};
  const isSaid = differs.some((clause) =>
    clause.startsWith(`${other}: `) && clause.includes(words)
  );
  assert(isSaid, `${name} says of ${other}: ${words}`);
}
