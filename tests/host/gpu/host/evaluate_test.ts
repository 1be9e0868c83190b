import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import type { HostColumn } from "../../../../gpu/column/column.ts";
import { Utf8Error } from "../../../../base/errors/value_error.ts";
import { windowOf } from "../../../../gpu/column/text_windows.ts";
import { type Output, partitionIntoKernels } from "../../../../gpu/kernel/partition/partition.ts";
import type { Program, Tree } from "../../../../gpu/kernel/tree/tree.ts";
import { HostKernels } from "../../../../gpu/host/host_kernels.ts";
import { describeTree } from "../../../../gpu/kernel/tree/describe_tree.ts";
import { evaluateAround } from "../../../support/kernels/evaluate_around.ts";
import { columnOf, sliceText, type Value, valuesOf } from "../../../support/values/host_columns.ts";
import { call, column, concat, literal, STRING } from "../../../support/kernels/trees.ts";
import { testKernels } from "../../../support/kernels/test_kernels.ts";
import { evaluateTree } from "../../../support/models/evaluate_tree.ts";
import {
  type Pick,
  RANDOM_TYPES,
  randomNumberTree,
  randomRow,
  randomTestTree,
  randomTextTree,
} from "../../../support/random/random_trees.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";
import { fewOr } from "../../../support/random/test_size.ts";

const name = column(0);

function program(...outputs: Output[]): Program {
  return partitionIntoKernels([STRING], outputs, { names: ["name"] });
}

function run(target: Program, input: HostColumn, cache = testKernels()): HostColumn[] {
  return evaluateAround(target, [input], input.length, cache);
}

Deno.test("evaluateOnHost() gives an input that is an output back as the same object", () => {
  const input = columnOf(STRING, ["a", null]);
  const [same] = run(program({ label: "name", tree: name }), input);
  assertStrictEquals(same, input);
});

Deno.test("evaluateOnHost() shares offsets and validity where bytes are replaced one by one", () => {
  const input = windowOf(columnOf(STRING, ["ab", null, "", "Cd!"], { below: "ascii" }), [0, 4]);
  const [upper] = run(program({ label: "upper", tree: call("upper", name) }), input);
  assertEquals(upper && valuesOf(upper), ["AB", null, "", "CD!"]);
  assertStrictEquals(upper?.offsets, input.offsets);
  assertStrictEquals(upper?.validity, input.validity);
});

Deno.test("byte maps change every byte as they say, at any offset and by any code path", () => {
  const all = Array.from({ length: 128 }, (_, char) => String.fromCharCode(char)).join("");
  for (
    const [fn, wanted] of [
      ["upper", (text: string) => text.toUpperCase()],
      ["lower", (text: string) => text.toLowerCase()],
      ["scramble", (text: string) => text.replace(/\d/g, (digit) => String(+digit * 7 % 10))],
    ] as const
  ) {
    const tree = call(fn, name);
    for (const before of [0, 1, 5, 5000]) {
      const texts = ["x".repeat(before), all, "z", "", all.slice(7)];
      const input = sliceText(columnOf(STRING, texts), 1, 5);
      const [result] = run(program({ label: fn, tree }), input);
      assertEquals(result && valuesOf(result), texts.slice(1).map(wanted));
    }
  }
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

Deno.test("text that is not UTF-8 is an error that names the row, and bytes below nulls are not", () => {
  const good = columnOf(STRING, ["ok", "éé", "x"]);
  const target = program({ label: "reverse", tree: call("reverse", name) });
  for (
    const bad of [[0xc3, 0x28], [0x80, 0x80], [0xc0, 0xaf], [0xed, 0xa0], [0xe2, 0x82], [0xff, 65]]
  ) {
    const data = good.data.slice();
    data.set(bad, good.offsets![1]! + 1);
    const error = assertThrows(() => run(target, { ...good, data }), Utf8Error);
    assertEquals([error.row, error.message], [1, "The text of row 1 is not UTF-8"]);
  }
  const hidden = columnOf(STRING, ["ok", null, "é"]);
  const data = hidden.data.slice();
  data[hidden.offsets![1]!] = 0xff;
  const [result] = run(target, { ...hidden, data });
  assertEquals(result && valuesOf(result), ["ko", null, "é"]);
});

Deno.test("text that grows a lot is written whole", () => {
  const long = "-".repeat(1000);
  const tree = call("replace", name, "-", "abcdefgh".repeat(5));
  const values = ["", long, "-", long, "none"];
  const [result] = run(program({ label: "replace", tree }), columnOf(STRING, values));
  assertEquals(
    result && valuesOf(result),
    values.map((text) => text.replaceAll("-", "abcdefgh".repeat(5))),
  );
});

Deno.test("copies of every size arrive whole", () => {
  const sizes = [0, 1, 7, 8, 9, 15, 16, 19, 20, 21, 27, 28, 63, 64, 65, 399, 400, 401, 1000];
  const texts = sizes.map((size) => Array.from({ length: size }, (_, i) => i % 10).join(""));
  const tree = concat(name, "|", name);
  const [result] = run(program({ label: "twice", tree }), columnOf(STRING, texts));
  assertEquals(result && valuesOf(result), texts.map((text) => `${text}|${text}`));
});

Deno.test("a batch without rows has results without rows", () => {
  const trees = [call("upper", name), call("length", name), call("contains", name, "a")];
  const target = program(...trees.map((tree) => ({ label: "none", tree })));
  for (const result of run(target, columnOf(STRING, []))) {
    assertEquals([result.length, result.nullCount, result.validity], [0, 0, null]);
  }
});

Deno.test("validity says nothing about rows that do not exist", () => {
  const tree = call("splitPart", name, " ", 1);
  const [result] = run(program({ label: "part", tree }), columnOf(STRING, ["a b", "a", "c d"]));
  assertEquals([...(result?.validity ?? [])], [0b101]);
});

Deno.test("what is known at compile time is computed at compile time", () => {
  const tree = concat(call("slice", literal("abcdef"), 1, 3), call("upper", literal("é!x")));
  const [result] = run(program({ label: "known", tree }), columnOf(STRING, ["", ""]));
  assertEquals(result && valuesOf(result), ["bcé!X", "bcé!X"]);
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

const TREES = fewOr(40, 150);

function randomColumns(
  pick: Pick,
  ascii: boolean,
  nulls: boolean,
): { rows: Value[][]; columns: HostColumn[] } {
  const numRows = [0, 1, 7, 40][pick(4)] ?? 0;
  const before = pick(3);
  const all = Array.from({ length: before + numRows }, () => randomRow(pick, ascii, nulls));
  const rows = all.slice(before);
  const columns = RANDOM_TYPES.map((type, index) => {
    if (type.kind !== "string") return columnOf(type, rows.map((row) => row[index] ?? null));
    const whole = columnOf(type, all.map((row) => row[index] ?? null));
    return sliceText(whole, before, all.length);
  });
  return { rows, columns };
}

interface RunOptions {
  readonly fuse: boolean;
  readonly minWasmRows: number;
}

function runTree(
  tree: Tree,
  columns: readonly HostColumn[],
  numRows: number,
  { fuse, minWasmRows }: RunOptions,
): Value[] {
  const program = partitionIntoKernels(RANDOM_TYPES, [{ label: "result", tree }], { fuse });
  const kernels = new HostKernels({ minWasmRows });
  const [result] = evaluateAround(program, columns, numRows, kernels);
  return result === undefined ? [] : valuesOf(result);
}

for (const [kind, make] of Object.entries({ randomTextTree, randomNumberTree, randomTestTree })) {
  Deno.test(`${kind}: fused and unfused kernels of both targets agree with plain strings`, () =>
    forSeeds(TREES, (random) => {
      const pick: Pick = (below) => random.below(below);
      const tree = make(pick, 1 + pick(4));
      const { rows, columns } = randomColumns(pick, pick(2) === 0, pick(2) === 0);
      const wanted = rows.map((row) => evaluateTree(tree, row));
      const what = describeTree(tree);
      for (const fuse of [true, false]) {
        for (const minWasmRows of [1, Infinity]) {
          const options = { fuse, minWasmRows };
          const actual = runTree(tree, columns, rows.length, options);
          assertEquals(actual, wanted, `${JSON.stringify(options)} ${what}`);
        }
      }
    }));
}
