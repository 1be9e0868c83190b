import { assertEquals } from "@std/assert";
import { Utf8 } from "apache-arrow";
import { evaluateOnHost } from "../../../../../gpu/host/evaluate.ts";
import { HostKernels } from "../../../../../gpu/host/host_kernels.ts";
import type { Program } from "../../../../../gpu/kernel/tree/tree.ts";
import { compileProgram } from "../../../../support/kernels/programs.ts";
import { stringColumn, valuesOf } from "../../../../support/values/host_columns.ts";

/** Evaluates a program over a few names, and counts the JavaScript functions and modules it compiles. */
function compiledBy(program: Program, minWasmRows: number) {
  const { Function: Plain } = globalThis;
  const { Module } = WebAssembly;
  const counts = { functions: 0, modules: 0 };
  const counting = <C extends new (...args: never[]) => object>(Kind: C, count: () => void): C =>
    new Proxy(Kind, {
      construct(target, args) {
        count();
        return Reflect.construct(target, args);
      },
    });
  try {
    globalThis.Function = counting(Plain, () => counts.functions++);
    WebAssembly.Module = counting(Module, () => counts.modules++);
    const rows = ["Ada", " Alan ", "Grace"];
    const kernels = new HostKernels({ minWasmRows });
    const { columns: [result] } = evaluateOnHost(program, [stringColumn(rows)], 3, kernels);
    assertEquals(valuesOf(result!), rows.map((name) => `${name.trim()}!`));
    return counts;
  } finally {
    globalThis.Function = Plain;
    WebAssembly.Module = Module;
  }
}

Deno.test("JavaScript is compiled only for batches that run as JavaScript, and once for all backends", () => {
  const { program } = compileProgram(['a.strip() + "!"'], { a: new Utf8() });
  assertEquals(compiledBy(program, 1), { functions: 0, modules: 1 });
  assertEquals(compiledBy(program, 1), { functions: 0, modules: 0 });
  assertEquals(compiledBy(program, Infinity), { functions: 1, modules: 0 });
  assertEquals(compiledBy(program, Infinity), { functions: 0, modules: 0 });
});
