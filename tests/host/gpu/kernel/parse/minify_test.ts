import { assertEquals, assertNotEquals } from "@std/assert";
import type { HostColumn } from "../../../../../gpu/column/column.ts";
import { partitionIntoKernels } from "../../../../../gpu/kernel/partition/partition.ts";
import { parseRowFunction } from "../../../../../gpu/kernel/parse/parse_row_function.ts";
import type { RowFunctionSpec } from "../../../../../gpu/kernel/language/row_function.ts";
import { evaluateAround } from "../../../../support/kernels/evaluate_around.ts";
import { columnOf, type Value, valuesOf } from "../../../../support/values/host_columns.ts";
import { operations } from "../../../../../mod.ts";
import { specs } from "../../../../support/kernels/minified_functions.ts";
import { checkoutPath, inFolder } from "../../../../support/processes/sluice.ts";
import { column, INT32, literal, STRING } from "../../../../support/kernels/trees.ts";
import { testKernels } from "../../../../support/kernels/test_kernels.ts";

const TEXTS: Value[] = ["a,b  ,c", "x1!", "", ",,", "9 8,7", null, "é ,ß ", "no delimiter "];

/** What a row function makes of the texts. */
function results(spec: RowFunctionSpec): Value[] {
  const fn = parseRowFunction(spec);
  const args = fn.args.map(({ type }) => literal(type === "string" ? "," : 1));
  const type = fn.returns === "string" ? STRING : INT32;
  const tree = { node: "call", fn, text: column(0), args, type } as const;
  const program = partitionIntoKernels([STRING], [{ label: fn.name, tree }]);
  const text: HostColumn = columnOf(STRING, TEXTS);
  const [result] = evaluateAround(program, [text], TEXTS.length, testKernels());
  return result === undefined ? [] : valuesOf(result);
}

/** Uses what a module of the checkout exports after `deno bundle --minify`. */
async function withMinified<Module>(name: string, use: (module: Module) => void): Promise<void> {
  await inFolder(async (folder) => {
    const target = `${folder}/minified.js`;
    const source = checkoutPath(name);
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["bundle", "--quiet", "--minify", "--output", target, source],
    }).output();
    assertEquals(success, true, new TextDecoder().decode(stderr));
    use(await import(`file://${target}`));
  });
}

Deno.test("row functions compile to the same after `deno bundle --minify`", () =>
  withMinified<{ specs: RowFunctionSpec[] }>(
    "tests/support/kernels/minified_functions.ts",
    (minified) =>
      minified.specs.forEach((spec, index) => {
        const original = specs[index];
        if (original === undefined) throw new Error("Both lists have the same functions");
        assertNotEquals(String(spec.row), String(original.row));
        assertEquals(results(spec), results(original), spec.name);
      }),
  ));

Deno.test("the functions that are minified compute what they should", () => {
  assertEquals(specs.map(results), [
    ["a", "x", "", "", "", null, "", "nn"],
    ["A,B  ,C", "1!!", "", ",,", "9 8,7", null, "é ,ß ", "NO DELIMITER "],
    ["b", null, null, "", "7", null, "ß", null],
    [null, -1, null, null, 8, null, null, null],
    [12, 6, 0, 0, 9, null, null, 26],
  ]);
});

Deno.test("every operation compiles and holds its examples after `deno bundle --minify`", () =>
  withMinified<{ checkAll(): string[] }>(
    "tests/support/kernels/bundled_operations.ts",
    ({ checkAll }) => assertEquals(checkAll(), operations.map(({ spec }) => spec.name)),
  ));
