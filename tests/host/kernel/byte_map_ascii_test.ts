import { assertEquals } from "@std/assert";
import type { HostColumn } from "../../../gpu/column.ts";
import { evaluateOnHost, HostKernelCache } from "../../../gpu/host/evaluate.ts";
import { cutIntoKernels } from "../../../gpu/kernel/cut.ts";
import { columnOf, sliceText, valuesOf } from "../../support/host_columns.ts";
import { call, column, STRING } from "../../support/trees.ts";

function upper(input: HostColumn) {
  const tree = call("upper", column(0));
  const program = cutIntoKernels([STRING], [{ label: "upper", tree }], { names: ["name"] });
  const [result] = evaluateOnHost(program, [input], input.length, new HostKernelCache());
  return result && valuesOf(result);
}

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
