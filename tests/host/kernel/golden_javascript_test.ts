import { assertEquals } from "@std/assert";
import { partitionIntoKernels } from "../../../gpu/kernel/partition/partition.ts";
import { emitJavaScript, javaScriptSource } from "../../../gpu/kernel/emit/javascript/emit.ts";
import { lowerKernel } from "../../../gpu/kernel/lower/lower.ts";
import { goldenTrees } from "../../support/golden_trees.ts";

const FOLDER = new URL("../../golden/", import.meta.url);

for (const { name, types, tree } of goldenTrees) {
  Deno.test(`${name} is emitted as the JavaScript in tests/golden/${name}.js`, async () => {
    const file = new URL(`${name}.js`, FOLDER);
    const source = javaScriptOf(name, types, tree);
    if (Deno.env.get("SLUICE_UPDATE_GOLDEN") === "1") await Deno.writeTextFile(file, source);
    assertEquals(source.split("\n"), (await Deno.readTextFile(file)).split("\n"));
  });
}

/** All kernels of an expression: with ASCII text and without nulls, then with everything. */
function javaScriptOf(
  name: string,
  types: (typeof goldenTrees)[number]["types"],
  tree: (typeof goldenTrees)[number]["tree"],
): string {
  const program = partitionIntoKernels(types, [{ label: name, tree }]);
  const all = [...program.inputs, ...program.kernels.map(({ type }) => type)];
  let source = "";
  for (const general of [false, true]) {
    for (const kernel of program.kernels) {
      const ir = lowerKernel(kernel, all, { ascii: !general, nullable: all.map(() => general) });
      const text = ir.kernel === "byteMap"
        ? `// byte map: ${String.fromCharCode(...ir.map.subarray(32, 127))}\n`
        : javaScriptSource(emitJavaScript(ir));
      source += `// ${kernel.label}, ${general ? "UTF-8, nulls" : "ASCII, no nulls"}\n${text}\n`;
    }
  }
  return source;
}
