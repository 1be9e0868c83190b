import { assertEquals } from "@std/assert";
import { kindTablesModule } from "../../../scripts/generate_kind_tables.ts";
import { partitionIntoKernels } from "../../../gpu/kernel/partition/partition.ts";
import { lowerKernel } from "../../../gpu/kernel/lower/lower.ts";
import type { Tree } from "../../../gpu/kernel/tree/tree.ts";
import { operations } from "../../../mod.ts";
import { col } from "../../../ops/expr/expr.ts";
import { evaluateExpr } from "../../support/evaluate_expr.ts";
import { pythonTest } from "../../support/python.ts";
import { CHARACTERS, pythonCharacters } from "../../support/python_characters.ts";
import { STRING } from "../../support/trees.ts";

const KINDS = operations.filter(({ spec }) =>
  /^is[A-Z]/.test(spec.name) && spec.group !== "convert"
);

/** Characters whose properties changed after Unicode 14, which Python 3.11 has. */
const CHANGED: Readonly<Record<string, string>> = {
  // Modifier letters that became Lowercase in Unicode 15.
  isLower: "\u10fc\ua7f2\ua7f3\ua7f4\uab69",
};

pythonTest("each kind has every character that Python has in it, and no other", async () => {
  const python = await pythonCharacters();
  const text = CHARACTERS.filter((char) => python.is("assigned", char));
  for (const op of KINDS) {
    const { name } = op.spec;
    const actual = evaluateExpr(op(col("text")), { text });
    const others = text.filter((char, row) => actual[row] !== python.is(name, char));
    assertEquals(others.join(""), CHANGED[name] ?? "", name);
  }
});

Deno.test("the empty text is of no kind", () => {
  for (const op of KINDS) {
    assertEquals(evaluateExpr(op(col("text")), { text: ["", null] }), [false, null]);
  }
});

Deno.test("code for ASCII text looks at no table", () => {
  const cased = operations.filter(({ spec }) => spec.group === "case");
  for (const op of new Set([...KINDS, ...cased])) {
    const text: Tree = { node: "column", index: 0, type: STRING };
    const fn = op.rowFunction("row");
    const type = op.returns === "bool" ? { kind: "bool" } as const : STRING;
    const { kernels } = partitionIntoKernels([STRING], [{
      label: op.spec.name,
      tree: { node: "call", fn, text, args: [], type },
    }]);
    const lowered = lowerKernel(kernels[0]!, [STRING], { ascii: true, nullable: [false] });
    assertEquals(lowered.kernel === "row" ? lowered.tables : [], [], op.spec.name);
  }
});

Deno.test("the tables of kinds are what the script writes", async () => {
  const path = new URL("../../../ops/string/kind_tables.ts", import.meta.url);
  assertEquals(await Deno.readTextFile(path), kindTablesModule());
});
