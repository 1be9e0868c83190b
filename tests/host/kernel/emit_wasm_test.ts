import { assert } from "@std/assert";
import { emitJavaScript } from "../../../gpu/kernel/javascript/emit.ts";
import { emitWasm } from "../../../gpu/kernel/wasm/emit.ts";
import type { RowKernel, Stmt } from "../../../gpu/kernel/ir.ts";

Deno.test("a statement of hundreds of thousands of instructions is printed", () => {
  const byte = { op: "const", type: "i32", value: 0x78 } as const;
  const test = { op: "start", type: "i32", column: 0 } as const;
  const puts = Array.from({ length: 100_000 }, (): Stmt => ({ do: "put", byte }));
  const body: Stmt[] = [{ do: "if", test, then: puts, else: [] }];
  const kernel: RowKernel = {
    kernel: "row",
    label: "puts",
    columns: [0],
    columnTypes: [{ kind: "string" }],
    type: { kind: "string" },
    canBeNull: false,
    literals: new Uint8Array(0),
    tables: [],
    body,
  };
  const wasm = emitWasm(kernel, emitJavaScript(kernel));
  assert(wasm !== null && wasm.functions[0]!.body.length > 300_000);
});
