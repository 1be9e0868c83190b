import { assert, assertEquals } from "@std/assert";
import type { ColumnType } from "../../../gpu/column/column.ts";
import { partitionIntoKernels } from "../../../gpu/kernel/partition/partition.ts";
import {
  emitWasm,
  type WasmKernel,
  wasmModule,
  wasmSource,
} from "../../../gpu/kernel/emit/wasm/emit.ts";
import { lowerKernel } from "../../../gpu/kernel/lower/lower.ts";
import type { Kernel } from "../../../gpu/kernel/tree/tree.ts";
import { assembleWithWabt } from "../../support/peers.ts";
import { goldenTrees } from "../../support/golden_trees.ts";

const FOLDER = new URL("../../golden/", import.meta.url);

/** What is shown for people: a search, a rewrite, a repetition, views and puts. */
const SHOWN = ["contains", "replace", "repeat", "redact"];

/** Integers of 64 bits and lists are computed by JavaScript. */
const JAVASCRIPT_ONLY = [
  "add_int64",
  "list_backward",
  "list_item",
  "list_numbers",
  "list_spread",
];

for (const { name, types, tree } of goldenTrees) {
  const program = partitionIntoKernels(types, [{ label: name, tree }]);
  const all = [...program.inputs, ...program.kernels.map(({ type }) => type)];

  const isEmitted = !JAVASCRIPT_ONLY.includes(name);
  Deno.test(`${name} is emitted as ${isEmitted ? "valid" : "no"} WebAssembly`, async () => {
    let numEmitted = 0;
    for (const general of [false, true]) {
      for (const kernel of program.kernels) {
        const wasm = webAssemblyOf(kernel, all, general);
        if (wasm === null) continue;
        numEmitted++;
        for (const isShared of [false, true]) {
          assert(WebAssembly.validate(wasmModule(wasm, isShared) as BufferSource));
        }
        assertEquals(await assembleWithWabt(wasmSource(wasm)), wasmModule(wasm, false));
      }
    }
    assertEquals(numEmitted > 0, isEmitted);
  });

  if (!SHOWN.includes(name)) continue;
  Deno.test(`${name} is emitted as the WebAssembly in tests/golden/${name}.wat`, async () => {
    const file = new URL(`${name}.wat`, FOLDER);
    const sources = program.kernels.map((kernel) => {
      const wasm = webAssemblyOf(kernel, all, false);
      if (wasm === null) throw new Error("It is for JavaScript only");
      return `;; ${kernel.label}, ASCII, no nulls\n${wasmSource(wasm)}`;
    });
    const source = sources.join("\n");
    if (Deno.env.get("SLUICE_UPDATE_GOLDEN") === "1") await Deno.writeTextFile(file, source);
    assertEquals(source.split("\n"), (await Deno.readTextFile(file)).split("\n"));
  });
}

function webAssemblyOf(
  kernel: Kernel,
  types: readonly ColumnType[],
  general: boolean,
): WasmKernel | null {
  const ir = lowerKernel(kernel, types, { ascii: !general, nullable: types.map(() => general) });
  return ir.kernel === "byteMap" ? null : emitWasm(ir);
}
