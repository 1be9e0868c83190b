import { assertEquals } from "@std/assert";
import { hasOffsets } from "../../../gpu/column/column.ts";
import { partitionIntoKernels } from "../../../gpu/kernel/partition/partition.ts";
import { columnsWithLongRows, emitWgsl } from "../../../gpu/kernel/emit/wgsl/emit.ts";
import type { Pass } from "../../../gpu/kernel/emit/wgsl/pass.ts";
import type { RowKernel } from "../../../gpu/kernel/ir/ir.ts";
import { lowerKernel } from "../../../gpu/kernel/lower/lower.ts";
import { goldenTrees } from "../../support/golden_trees.ts";

const FOLDER = new URL("../../golden/", import.meta.url);

for (const { name, types, tree } of goldenTrees) {
  Deno.test(`${name} is emitted as the WGSL in tests/golden/${name}.wgsl`, async () => {
    const file = new URL(`${name}.wgsl`, FOLDER);
    const source = wgslOf(name, types, tree);
    if (Deno.env.get("SLUICE_UPDATE_GOLDEN") === "1") await Deno.writeTextFile(file, source);
    assertEquals(source.split("\n"), (await Deno.readTextFile(file)).split("\n"));
  });
}

/** The passes of all kernels of an expression: with ASCII text and without nulls, then with all. */
function wgslOf(
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
        ? `// byte map: ${String.fromCharCode(...ir.map.subarray(32, 127))}\n\n`
        : passesOf(ir) + (general ? longPassesOf(ir) : "");
      source += `// ${kernel.label}, ${general ? "UTF-8, nulls" : "ASCII, no nulls"}\n${text}`;
    }
  }
  return source;
}

/** Bindings and row code of each pass; what surrounds them is the same for all kernels. */
function passesOf(ir: RowKernel): string {
  return passes(ir).map((pass) => {
    const { bindings, row } = partsOf(emitWgsl(ir, pass).code);
    return `// pass ${pass}\n${bindings}\n\n${row.slice(0, row.indexOf("\n}\n") + 3)}\n`;
  }).join("");
}

/** The first pass of a kernel for long rows, where it searches, with what it searches by. */
function longPassesOf(ir: RowKernel): string {
  if (columnsWithLongRows(ir).length === 0) return "";
  const [pass] = passes(ir);
  const { bindings, row } = partsOf(emitWgsl(ir, pass!, "long").code);
  return `// pass ${pass} of long rows\n${bindings}\n\n${row}\n`;
}

function passes({ type }: RowKernel): readonly Pass[] {
  return hasOffsets(type) ? ["sizes", "write"] : ["single"];
}

function partsOf(code: string): { bindings: string; row: string } {
  const bindings = code.split("\n").filter((line) => line.startsWith("@group")).join("\n");
  const row = code.slice(code.indexOf("fn compute_row"), code.indexOf("\n@compute"));
  return { bindings, row };
}
