/** Rows that are passed over because nothing is found in them, judged by JavaScript's own search. */

import { assertEquals } from "@std/assert";
import { Utf8 } from "apache-arrow";
import { HostKernelCache } from "../../../gpu/host/kernels/kernel_cache.ts";
import { sliceColumn } from "../../../gpu/column/slice.ts";
import { lowerKernel } from "../../../gpu/kernel/lower/lower.ts";
import { evaluateAround } from "../../support/evaluate_around.ts";
import { columnOf, stringColumn, valuesOf } from "../../support/host_columns.ts";
import { compileProgram } from "../../support/programs.ts";
import { forSeeds, type SeededRandom } from "../../support/seeded_random.ts";

const NAMES = { a: new Utf8(), b: new Utf8() };

/** Conditions with a place for a needle, and what they mean. */
const conditions: Readonly<Record<string, (a: string, b: string, needle: string) => boolean>> = {
  'a.contains("?")': (a, _, needle) => a.includes(needle),
  'a.find("?") >= 0': (a, _, needle) => a.includes(needle),
  'a.find("?") > 2': (a, _, needle) => a.indexOf(needle) > 2,
  '!a.contains("?")': (a, _, needle) => !a.includes(needle),
  'a.contains("?") && b.contains("?")': (a, b, needle) => a.includes(needle) && b.includes(needle),
  'a.contains("?") && a.length() > 9': (a, _, needle) => a.includes(needle) && a.length > 9,
  'a.contains("?") || b.contains("?")': (a, b, needle) => a.includes(needle) || b.includes(needle),
  'a.slice(3).contains("?")': (a, _, needle) => a.slice(3).includes(needle),
};

/** Rows of few characters, so that a needle stands across the end of many a row. */
function rowsOf(random: SeededRandom, count: number): string[] {
  const letters = random.pick(["ab", "abc", "abcdefghij"]);
  const longest = random.pick([3, 12, 60]);
  const row = () => Array.from({ length: random.below(longest) }, () => random.pick([...letters]));
  return Array.from({ length: count }, () => row().join(""));
}

Deno.test("rows in which nothing is found are passed over, and no other", async () => {
  await forSeeds(40, (random) => {
    const numRows = random.pick([1, 7, 8, 9, 64, 500]);
    const [a, b] = [rowsOf(random, numRows), rowsOf(random, numRows)];
    const needle = Array.from({ length: 1 + random.below(6) }, () => random.pick(["a", "b"])).join(
      "",
    );
    const from = random.below(numRows);
    const columns = { a: stringColumn(a), b: stringColumn(b) };
    for (const [template, meaning] of Object.entries(conditions)) {
      const text = template.replaceAll("?", needle);
      const { program, inputNames } = compileProgram([text], NAMES);
      const inputs = inputNames.map((name) => sliceColumn(columns[name as "a"], from, numRows));
      const kernels = new HostKernelCache({ minWasmRows: 1 });
      const [result] = evaluateAround(program, inputs, numRows - from, kernels);
      const wanted = a.map((row, index) => meaning(row, b[index]!, needle)).slice(from);
      assertEquals(valuesOf(result!), wanted, text);
    }
  });
});

Deno.test("rows that are null and stand for false are false, whatever their text is", async () => {
  await forSeeds(20, (random) => {
    const texts = rowsOf(random, 200);
    const isNull = texts.map(() => random.chance(0.3));
    // Their text is still there, with the needle in it.
    const valid = columnOf({ kind: "string" }, texts.map((text, row) => isNull[row] ? null : text));
    const a = { ...stringColumn(texts), validity: valid.validity, nullCount: valid.nullCount };
    const { program } = compileProgram(['a.contains("ab").fillNull(false)'], NAMES);
    const kernels = new HostKernelCache({ minWasmRows: 1 });
    const [result] = evaluateAround(program, [a], 200, kernels);
    const wanted = texts.map((text, row) => !isNull[row] && text.includes("ab"));
    assertEquals(valuesOf(result!), wanted);
  });
});

Deno.test("a search is needed where a row is false without it, and only there", () => {
  const isNeeded = (text: string, isNullable = false) => {
    const { program } = compileProgram([text], NAMES);
    const nullable = program.inputs.map(() => isNullable);
    const ir = lowerKernel(program.kernels[0]!, program.inputs, { ascii: true, nullable });
    return ir.kernel === "row" && ir.neededSeek !== undefined;
  };
  assertEquals(isNeeded('a.contains("x")'), true);
  assertEquals(isNeeded('a.contains("x") && a.length() > 9'), true);
  // A row that is null has to be told apart.
  assertEquals(isNeeded('a.contains("x")', true), false);
  assertEquals(isNeeded('!a.contains("x")'), false);
  assertEquals(isNeeded('a.contains("x") || b.contains("x")'), false);
  assertEquals(isNeeded('a.slice(3).contains("x")'), false);
  assertEquals(isNeeded('a.find("x")'), false);
  assertEquals(isNeeded("a.contains(b)"), false);
});
