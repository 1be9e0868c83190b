import { assert, assertEquals } from "@std/assert";
import { describeOperations } from "../../../mod.ts";
import { askPython, pythonTest } from "../../support/python.ts";
import { queryDuckDb } from "../../support/peers.ts";

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
