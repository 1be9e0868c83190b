import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import type { HostColumn } from "../../../../gpu/column/column.ts";
import { Utf8Error } from "../../../../base/errors/value_error.ts";
import { windowOf } from "../../../../gpu/column/text_windows.ts";
import type { Program } from "../../../../gpu/kernel/tree/tree.ts";
import { evaluateAround } from "../../../support/kernels/evaluate_around.ts";
import { columnOf, type Value, valuesOf } from "../../../support/values/host_columns.ts";
import { call, column, concat, STRING } from "../../../support/kernels/trees.ts";
import { testKernels } from "../../../support/kernels/test_kernels.ts";
import { evaluateCases, program } from "../../../support/cases/evaluate.ts";
import { onHost } from "../../../support/cases/on_host.ts";

const name = column(0);

evaluateCases(onHost);

function run(target: Program, input: HostColumn, cache = testKernels()): HostColumn[] {
  return evaluateAround(target, [input], input.length, cache);
}

Deno.test("evaluateOnHost() shares offsets and validity where bytes are replaced one by one", () => {
  const input = windowOf(columnOf(STRING, ["ab", null, "", "Cd!"], { below: "ascii" }), [0, 4]);
  const [upper] = run(program({ label: "upper", tree: call("upper", name) }), input);
  assertEquals(upper && valuesOf(upper), ["AB", null, "", "CD!"]);
  assertStrictEquals(upper?.offsets, input.offsets);
  assertStrictEquals(upper?.validity, input.validity);
});

Deno.test("a chain of byte maps is one pass", () => {
  const tree = call("lower", call("upper", call("scramble", name)));
  const cache = testKernels();
  const [result] = run(program({ label: "chain", tree }), columnOf(STRING, ["aB3"]), cache);
  assertEquals(result && valuesOf(result), ["ab1"]);
  assertEquals(cache.compilations, 1);
});

Deno.test("kernels are compiled once for ASCII and once for other text, with and without nulls", () => {
  const cache = testKernels();
  const target = program({ label: "reverse", tree: call("reverse", name) });
  const batches: Value[][] = [["ab"], ["cd"], ["é"], ["ß"], ["a", null], ["é", null], [null, "x"]];
  const results = batches.map((values) =>
    run(target, columnOf(STRING, values, { below: "ascii" }), cache)
  );
  assertEquals(results.map(([result]) => result && valuesOf(result)), [
    ["ba"],
    ["dc"],
    ["é"],
    ["ß"],
    ["a", null],
    ["é", null],
    [null, "x"],
  ]);
  assertEquals(cache.compilations, 4);
});

Deno.test("windows of a wide column give the rows that the whole gives, and errors of its rows", () => {
  const values = ["ab", null, "", "Straße", "x".repeat(40), "ı", null, "end", "Abc"];
  const narrow = windowOf(columnOf(STRING, values), [0, values.length]);
  const wide = { ...narrow, offsets: new Float64Array(narrow.offsets!) };
  const made = program(
    { label: "upper", tree: call("upper", name) },
    { label: "name", tree: name },
    { label: "twice", tree: concat(name, "-", name) },
  );
  const cache = testKernels();
  for (const windowBytes of [1, 5, 16, 1000]) {
    const [upper, same, twice] = evaluateAround(made, [wide], wide.length, cache, { windowBytes });
    assertEquals(
      valuesOf(upper!),
      values.map((text) => text?.replace(/[a-z]/g, (char) => char.toUpperCase()) ?? null),
    );
    assertStrictEquals(same, wide);
    assertEquals(valuesOf(twice!), values.map((text) => text === null ? null : `${text}-${text}`));
    const [few] = evaluateAround(made, [wide], 3, cache, { windowBytes });
    assertEquals(valuesOf(few!), ["AB", null, ""]);
    const broken = { ...wide, data: wide.data.slice() };
    broken.data[wide.offsets[8]!] = 0xff;
    const run = () => evaluateAround(made, [broken], wide.length, cache, { windowBytes });
    assertEquals((assertThrows(run, Utf8Error, "row 8") as Utf8Error).row, 8);
  }
});

Deno.test("a batch is full before the row whose result passes the limit, and never before one row", () => {
  const values = ["aaaa", "bbbb", "cccc", "dddd"];
  const narrow = windowOf(columnOf(STRING, values), [0, 4]);
  const wide = { ...narrow, offsets: new Float64Array(narrow.offsets!) };
  // The name itself comes out, too, and does not count.
  const made = { ...program({ label: "twice", tree: concat(name, name) }), outputs: [1, 0] };
  const run = (maxResultBytes: number) =>
    evaluateAround(made, [wide], 4, testKernels(), { windowBytes: 4, maxResultBytes });
  // A row is a part of 8 bytes of text and two offsets.
  for (const [most, rows] of [[63, 3], [48, 3], [47, 2], [16, 1], [1, 1]] as const) {
    const fitting = values.slice(0, rows);
    assertEquals(run(most).map(valuesOf), [fitting.map((text) => text + text), fitting]);
  }
  assertEquals(valuesOf(run(64)[0]!), values.map((text) => text + text));
});
