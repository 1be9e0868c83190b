import { assertEquals } from "@std/assert";
import type { HostColumn } from "../../../gpu/column/column.ts";
import { partitionIntoKernels } from "../../../gpu/kernel/partition/partition.ts";
import { lowerKernel } from "../../../gpu/kernel/lower/lower.ts";
import type { Kernel, Tree } from "../../../gpu/kernel/tree/tree.ts";
import { evaluateAround } from "../../support/evaluate_around.ts";
import { columnOf, sliceText, valuesOf } from "../../support/host_columns.ts";
import { call, column, STRING } from "../../support/trees.ts";
import { testKernels } from "../../support/test_kernels.ts";

function run(tree: Tree, input: HostColumn) {
  const program = partitionIntoKernels([STRING], [{ label: "result", tree }], { names: ["name"] });
  const [result] = evaluateAround(program, [input], input.length, testKernels());
  return result && valuesOf(result);
}

function upper(input: HostColumn) {
  return run(call("upper", column(0)), input);
}

function kindOf(tree: Tree): string {
  const kernel: Kernel = { label: "", tree, type: STRING };
  return lowerKernel(kernel, [STRING], { ascii: true, nullable: [false] }).kernel;
}

Deno.test("one ASCII character for another is a byte map, alone and between maps", () => {
  const dashes = call("replaceChar", column(0), "-", " ");
  assertEquals(kindOf(dashes), "byteMap");
  assertEquals(kindOf(call("upper", dashes)), "byteMap");
  assertEquals(kindOf(call("replaceChar", call("lower", column(0)), "-", "_")), "byteMap");
  assertEquals(run(dashes, columnOf(STRING, ["a-b-", null, "", "--"])), ["a b ", null, "", "  "]);
  assertEquals(run(dashes, columnOf(STRING, ["a-b-", "é-€"])), ["a b ", "é €"]);
});

Deno.test("a replacement that changes the size, or is not ASCII, is no byte map", () => {
  for (const replacement of ["", "ab", "é"]) {
    const tree = call("replaceChar", column(0), "-", replacement);
    assertEquals(kindOf(tree), "row");
    assertEquals(run(tree, columnOf(STRING, ["a-b-"])), [`a${replacement}b${replacement}`]);
  }
});

Deno.test("a byte map leaves text to another kernel wherever its one character beyond ASCII is", () => {
  for (let before = 0; before < 12; before++) {
    for (let after = 0; after < 5; after++) {
      const text = `${"a".repeat(before)}é${"b".repeat(after)}`;
      assertEquals(upper(columnOf(STRING, ["x", text])), [
        "X",
        text.replace(/[a-z]/g, (letter) => letter.toUpperCase()),
      ]);
    }
  }
});

Deno.test("a byte map takes ASCII rows whatever the bytes before the first of them are", () => {
  const input = sliceText(columnOf(STRING, ["éé", "ab", "cd"]), 1, 3);
  assertEquals(upper(input), ["AB", "CD"]);
});
