import { assertEquals } from "@std/assert";
import { printIr } from "../../../gpu/kernel/ir/print.ts";
import { lowerKernel } from "../../../gpu/kernel/lower/lower.ts";
import { partitionIntoKernels } from "../../../gpu/kernel/partition/partition.ts";
import { type GoldenTree, goldenTrees } from "../../support/golden_trees.ts";

const FOLDER = new URL("../../golden/", import.meta.url);

/** What is shown for people: searches and branches, a map of bytes, scratch, items. */
const SHOWN = ["redact", "upper", "scratch", "list_item"];

for (const golden of goldenTrees) {
  const { name } = golden;
  if (!SHOWN.includes(name)) {
    Deno.test(`${name} has a text in IR with every statement on a line`, () => {
      assertEquals(irOf(golden).includes("undefined"), false);
    });
    continue;
  }
  Deno.test(`${name} is lowered to the IR in tests/golden/${name}.ir`, async () => {
    const file = new URL(`${name}.ir`, FOLDER);
    const source = irOf(golden);
    if (Deno.env.get("SLUICE_UPDATE_GOLDEN") === "1") await Deno.writeTextFile(file, source);
    assertEquals(source.split("\n"), (await Deno.readTextFile(file)).split("\n"));
  });
}

/** All kernels of an expression: with ASCII text and without nulls, then with everything. */
function irOf({ name, types, tree }: GoldenTree): string {
  const names = types.map((_, index) => ["name", "other word"][index]!);
  const program = partitionIntoKernels(types, [{ label: name, tree }], { names });
  const all = [...program.inputs, ...program.kernels.map(({ type }) => type)];
  return [false, true].flatMap((general) =>
    program.kernels.map((kernel) => {
      const ir = lowerKernel(kernel, all, { ascii: !general, nullable: all.map(() => general) });
      return `; ${kernel.label}, ${general ? "UTF-8, nulls" : "ASCII, no nulls"}\n${
        printIr(ir, names)
      }`;
    })
  ).join("\n");
}
