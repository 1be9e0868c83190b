/** Cases of `Backend.evaluate`, judged by plain strings and numbers. */

import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { Utf8Error } from "../../../base/errors/value_error.ts";
import type { HostColumn } from "../../../gpu/column/column.ts";
import { type Output, partitionIntoKernels } from "../../../gpu/kernel/partition/partition.ts";
import { describeTree } from "../../../gpu/kernel/tree/describe_tree.ts";
import type { Program, Tree } from "../../../gpu/kernel/tree/tree.ts";
import { call, column, concat, literal, STRING } from "../kernels/trees.ts";
import { evaluateTree } from "../models/evaluate_tree.ts";
import { forSeeds, type SeededRandom } from "../random/seeded_random.ts";
import {
  type Pick,
  RANDOM_TYPES,
  randomNumberTree,
  randomRow,
  randomTestTree,
  randomTextTree,
} from "../random/random_trees.ts";
import { fewOr } from "../random/test_size.ts";
import { columnOf, sliceText, type Value, valuesOf } from "../values/host_columns.ts";
import { type BackendCase, type CaseScope, takeColumns } from "./backend_case.ts";

const name = column(0);

/** Registers all cases of programs. */
export function evaluateCases(test: BackendCase): void {
  textCases(test);
  randomTreesCases(test);

  test("an input that is an output is the same object", async ({ backend }) => {
    const input = columnOf(STRING, ["a", null]);
    const { columns } = await backend.evaluate(program({ label: "name", tree: name }), [input], 2);
    assertStrictEquals(columns[0], input);
  }, { mayIdle: true });

  test("a batch without rows has results without rows", async (scope) => {
    const trees = [call("upper", name), call("length", name), call("contains", name, "a")];
    for (const result of await evaluated(scope, trees, columnOf(STRING, []))) {
      assertEquals([result.length, result.nullCount, result.validity], [0, 0, null]);
    }
  }, { mayIdle: true });

  test("validity has zeros behind the last row", async (scope) => {
    const tree = call("splitPart", name, " ", 1);
    const [result] = await evaluated(scope, [tree], columnOf(STRING, ["a b", "a", "c d"]));
    assertEquals([...(result?.validity ?? [])], [0b101]);
  });

  test("constants are computed at compile time", async (scope) => {
    const tree = concat(call("slice", literal("abcdef"), 1, 3), call("upper", literal("é!x")));
    await checkTexts(scope, tree, ["", ""], () => "bcé!X");
  });

  test("text that is not UTF-8 is an error that names the row; below a null it is none", async (scope) => {
    const good = columnOf(STRING, ["ok", "éé", "x"]);
    const tree = call("reverse", name);
    for (
      const bad of [[0xc3, 0x28], [0x80, 0x80], [0xc0, 0xaf], [0xed, 0xa0], [0xe2, 0x82], [
        0xff,
        65,
      ]]
    ) {
      const data = good.data.slice();
      data.set(bad, good.offsets![1]! + 1);
      const error = await assertRejects(
        () => evaluated(scope, [tree], { ...good, data }),
        Utf8Error,
      );
      assertEquals([error.row, error.message], [1, "The text of row 1 is not UTF-8"]);
    }
    const hidden = columnOf(STRING, ["ok", null, "é"]);
    const data = hidden.data.slice();
    data[hidden.offsets![1]!] = 0xff;
    const [result] = await evaluated(scope, [tree], { ...hidden, data });
    assertEquals(result && valuesOf(result), ["ko", null, "é"]);
  });
}

/** Registers cases of text: byte maps, growth, and copies of every size. */
function textCases(test: BackendCase): void {
  test("byte maps change every byte as they say, at any offset and by any code path", async (scope) => {
    const all = Array.from({ length: 128 }, (_, char) => String.fromCharCode(char)).join("");
    const maps = {
      upper: (text: string) => text.toUpperCase(),
      lower: (text: string) => text.toLowerCase(),
      scramble: (text: string) => text.replace(/\d/g, (digit) => String(+digit * 7 % 10)),
    };
    for (const fn of ["upper", "lower", "scramble"] as const) {
      for (const before of [0, 1, 5, 5000]) {
        const texts = ["x".repeat(before), all, "z", "", all.slice(7)];
        const input = sliceText(columnOf(STRING, texts), 1, 5);
        const [result] = await evaluated(scope, [call(fn, name)], input);
        assertEquals(result && valuesOf(result), texts.slice(1).map(maps[fn]));
      }
    }
  });

  test("text that grows a lot is written whole", async (scope) => {
    const long = "-".repeat(1000);
    const grown = "abcdefgh".repeat(5);
    const tree = call("replace", name, "-", grown);
    const values = ["", long, "-", long, "none"];
    await checkTexts(scope, tree, values, (text) => text.replaceAll("-", grown));
  });

  test("copies of every size arrive whole", async (scope) => {
    const sizes = [0, 1, 7, 8, 9, 15, 16, 19, 20, 21, 27, 28, 63, 64, 65, 399, 400, 401, 1000];
    const texts = sizes.map((size) => Array.from({ length: size }, (_, i) => i % 10).join(""));
    await checkTexts(scope, concat(name, "|", name), texts, (text) => `${text}|${text}`);
  });
}

/** Registers a case for each type of result: random trees, fused and unfused. */
export function randomTreesCases(test: BackendCase): void {
  for (const [kind, make] of Object.entries({ randomTextTree, randomNumberTree, randomTestTree })) {
    test(
      `${kind}: fused and unfused kernels agree with plain strings`,
      (scope) =>
        forSeeds(scope.amount({ host: fewOr(40, 150), device: fewOr(1, 4) }), async (random) => {
          const pick: Pick = (below) => random.below(below);
          const tree = make(pick, 1 + pick(4));
          const { rows, columns } = randomColumns(random);
          const expected = rows.map((row) => evaluateTree(tree, row));
          for (const fuse of [true, false]) {
            const output = { label: "result", tree };
            const made = partitionIntoKernels(RANDOM_TYPES, [output], { fuse });
            const { columns: results } = await scope.backend.evaluate(made, columns, rows.length);
            const [result] = await takeColumns(scope, results);
            assertEquals(
              valuesOf(result!),
              expected,
              `${fuse ? "fused" : "unfused"} ${describeTree(tree)}`,
            );
          }
        }),
      { mayIdle: true },
    );
  }
}

function randomColumns(random: SeededRandom): { rows: Value[][]; columns: HostColumn[] } {
  const pick: Pick = (below) => random.below(below);
  const [ascii, nulls] = [random.chance(0.5), random.chance(0.5)];
  const numRows = random.pick([0, 1, 7, 40, 40, random.below(400)]);
  const before = pick(3);
  const all = Array.from({ length: before + numRows }, () => randomRow(pick, ascii, nulls));
  const rows = all.slice(before);
  const columns = RANDOM_TYPES.map((type, index) => {
    const valuesIn = (of: readonly Value[][]) => of.map((row) => row[index] ?? null);
    if (type.kind !== "string") return columnOf(type, valuesIn(rows));
    return sliceText(columnOf(type, valuesIn(all)), before, all.length);
  });
  return { rows, columns };
}

/** A program over one column of text. */
export function program(...outputs: Output[]): Program {
  return partitionIntoKernels([STRING], outputs, { names: ["name"] });
}

async function evaluated(
  scope: CaseScope,
  trees: readonly Tree[],
  input: HostColumn,
): Promise<HostColumn[]> {
  const made = program(...trees.map((tree) => ({ label: "result", tree })));
  const { columns, numRows } = await scope.backend.evaluate(made, [input], input.length);
  assertEquals(numRows, input.length);
  return await takeColumns(scope, columns);
}

async function checkTexts(
  scope: CaseScope,
  tree: Tree,
  texts: readonly string[],
  model: (text: string) => string,
): Promise<void> {
  const [result] = await evaluated(scope, [tree], columnOf(STRING, texts));
  assertEquals(valuesOf(result!), texts.map(model));
}
