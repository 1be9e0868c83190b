import { assert } from "@std/assert";
import { callingConventionOf } from "../../../../../../gpu/kernel/emit/host/calling_convention.ts";
import { emitWasm } from "../../../../../../gpu/kernel/emit/wasm/emit.ts";
import type { RowKernel, Scalar, Stmt } from "../../../../../../gpu/kernel/ir/ir.ts";
import { int } from "../../../../../../gpu/kernel/ir/scalar.ts";

Deno.test("a statement of hundreds of thousands of instructions is printed", () => {
  const byte = { op: "const", type: "i32", value: 0x78 } as const;
  const test = { op: "start", type: "i32", column: 0 } as const;
  const puts = Array.from({ length: 100_000 }, (): Stmt => ({ do: "put", byte }));
  const body: Stmt[] = [{ do: "if", test, then: puts, else: [] }];
  const kernel = textKernel(body);
  const wasm = emitWasm(kernel);
  assert(wasm !== null && wasm.functions[0]!.body.length > 300_000);
});

Deno.test("each side of a test is printed once, however many are around it", () => {
  let reads = 0;
  const byte: Scalar = {
    ...{ op: "byte", type: "i32", space: { space: "column", column: 0 } },
    get at() {
      reads++;
      return int(0);
    },
  };
  const equal: Scalar = { op: "binary", type: "bool", fn: "==", left: byte, right: int(0) };
  let test = equal;
  for (let level = 0; level < 12; level++) {
    const fn = level % 2 === 0 ? "&&" : "||";
    test = { op: "binary", type: "bool", fn, left: test, right: { ...equal, left: { ...byte } } };
  }
  const kernel = textKernel([{ do: "if", test, then: [{ do: "put", byte: int(0) }], else: [] }]);
  const convention = callingConventionOf(kernel);
  reads = 0;
  assert(emitWasm(kernel, convention) !== null);
  assert(reads <= 4, `${reads} reads`);
});

/** A kernel that makes text of one column of text. */
function textKernel(body: readonly Stmt[]): RowKernel {
  return {
    kernel: "row",
    label: "text",
    columns: [0],
    columnTypes: [{ kind: "string" }],
    type: { kind: "string" },
    canBeNull: false,
    literals: new Uint8Array(0),
    tables: [],
    body,
  };
}
