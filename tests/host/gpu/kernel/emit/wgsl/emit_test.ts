/** The text of generated WGSL. Whether it computes the right thing is for tests/device to say. */

import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { KernelError } from "../../../../../../base/errors/expr_error.ts";
import { emitWgsl } from "../../../../../../gpu/kernel/emit/wgsl/emit.ts";
import { wgslRefusal } from "../../../../../../gpu/kernel/emit/wgsl/refusal.ts";
import { kernelConstants } from "../../../../../../gpu/kernel/emit/wgsl/print/columns.ts";
import type { Scalar, Stmt } from "../../../../../../gpu/kernel/ir/ir.ts";
import {
  binary,
  block,
  bool,
  byte,
  copy,
  declare,
  increment,
  int,
  INT32,
  jump,
  LITERALS,
  local,
  loop,
  put,
  result,
  rowKernel,
  start,
  stop,
  STRING,
  textOf,
  when,
  word,
} from "../../../../../support/kernels/ir_builders.ts";

/** The code of a row, without what surrounds it. */
function rowCode(body: readonly Stmt[]): string {
  const { code } = emitWgsl(rowKernel([INT32], INT32, body), "single");
  const first = code.indexOf("fn compute_row");
  const lines = code.slice(first, code.indexOf("\n}\n", first)).split("\n").slice(1);
  return lines.filter((line) => !/ let (row|low)0 /.test(line)).map((line) => line.slice(2)).join(
    "\n",
  );
}

Deno.test("constants that WGSL would refuse are folded or written around", () => {
  const x = word(0);
  const cases: [Scalar, string][] = [
    [binary(int(0x7fffffff), "+", int(1)), "i32(-2147483647 - 1)"],
    [binary(x, "/", int(0)), "0"],
    [binary(x, "%", int(0)), "0"],
    [binary(x, "/", int(-1)), "quotient(low0, -1)"],
    [binary(binary(x, "%", int(7)), "==", int(0)), "rest(low0, 7) == 0"],
    [binary(x, "%", x), "remainder(low0, low0)"],
    [binary(x, "/", int(10)), "low0 / 10"],
    [binary(x, "<<", int(33)), "low0 << 1u"],
    [binary(x, ">>>", int(-1)), "bitcast<i32>(bitcast<u32>(low0) >> 31u)"],
    [binary(int(1), "<<", x), "1 << (bitcast<u32>(low0) & 31u)"],
    [binary(binary(x, "&", int(-4)), "*", x), "(low0 & (-4)) * low0"],
    [binary(x, "-", int(3)), "low0 - 3"],
  ];
  for (const [value, expected] of cases) {
    assertEquals(rowCode([result(value)]), `result0 = ${expected};`);
  }
});

Deno.test("a loop with one step is a for, a block without breaks disappears", () => {
  const body = [
    declare("k", int(0)),
    block("nothing", [
      loop("rows", binary(local("k"), "<", word(0)), [increment("k", 2)], [increment("k")]),
    ]),
    result(local("k")),
  ];
  assertEquals(
    rowCode(body),
    `var v_k: i32 = 0;
for (; v_k < low0; v_k = v_k + 1) {
  if (out_of_steps()) { return; }
  v_k = v_k + 2;
}
result0 = v_k;`,
  );
});

Deno.test("a jump past the innermost construct sets a flag that each construct passes on", () => {
  const body = [
    loop("outer", bool(true), [
      block("part", [
        loop("inner", bool(true), [
          when(binary(word(0), "==", int(1)), [jump("break", "part")]),
          when(binary(word(0), "==", int(2)), [jump("continue", "outer")]),
          jump("break", "outer"),
        ]),
      ]),
    ]),
    result(int(1)),
  ];
  assertEquals(
    rowCode(body),
    `var v_outer_SgoesOn = true;
var leave_v_outer = false;
for (; v_outer_SgoesOn; ) {
  if (out_of_steps()) { return; }
  var again_v_outer = false;
  var leave_v_part = false;
  switch 0 {
    default: {
      var v_inner_SgoesOn = true;
      for (; v_inner_SgoesOn; ) {
        if (out_of_steps()) { return; }
        if (low0 == 1) {
          leave_v_part = true;
          v_inner_SgoesOn = false;
          continue;
        }
        if (low0 == 2) {
          again_v_outer = true;
          v_inner_SgoesOn = false;
          continue;
        }
        leave_v_outer = true;
        v_inner_SgoesOn = false;
        continue;
      }
      if (leave_v_part) { break; }
      if (again_v_outer) { continue; }
      if (leave_v_outer) { break; }
    }
  }
  if (leave_v_outer) { v_outer_SgoesOn = false; continue; }
}
result0 = 1;`,
  );
});

Deno.test("nothing follows a jump", () => {
  const body = [
    loop("rows", bool(true), [
      when(bool(true), [jump("break", "rows"), result(int(5))]),
      result(int(6)),
    ]),
    result(int(7)),
  ];
  assertEquals(
    rowCode(body),
    "var v_rows_SgoesOn = true;\nfor (; v_rows_SgoesOn; ) {\n  if (out_of_steps()) { return; }\n" +
      "  v_rows_SgoesOn = false;\n  continue;\n}\nresult0 = 7;",
  );
});

Deno.test("a jump to a label that is not there is refused", () => {
  assertThrows(
    () => rowCode([jump("break", "rows")]),
    KernelError,
    "No construct is labelled rows",
  );
});

Deno.test("constant text is appended by words, and counted without being read", () => {
  const kernel = rowKernel([STRING], STRING, [
    put(int(0x41)),
    copy(LITERALS, int(0), int(5)),
    copy(textOf(0), start(0), stop(0)),
    put(byte(LITERALS, int(1))),
  ], { literals: new TextEncoder().encode("hello") });
  const write = emitWgsl(kernel, "write");
  assertStringIncludes(write.code, "  push(0x6c656841u, 4u);\n  push(0x6f6cu, 2u);\n  copy0(");
  assertStringIncludes(write.code, "  push(0x65u, 1u);\n");
  assertEquals(write.usesConstants, false);
  const sizes = emitWgsl(kernel, "sizes");
  assertStringIncludes(
    sizes.code,
    "  grow(bitcast<u32>(stop0) - bitcast<u32>(start0));\n  grow(7u);\n",
  );
});

Deno.test("a pass binds only the columns that it reads", () => {
  const kernel = rowKernel([STRING, INT32, STRING], STRING, [
    when(binary(start(2), "<", int(9)), [put(word(1))]),
  ]);
  assertEquals(emitWgsl(kernel, "sizes").columns, [2]);
  assertEquals(emitWgsl(kernel, "write").columns, [1, 2]);
});

Deno.test("literals and tables lie one after the other in the constants", () => {
  const literals = Uint8Array.of(1, 2, 3, 4, 5);
  const tables = [Int32Array.of(7, -1), Int32Array.of(9)];
  const kernel = rowKernel([INT32], INT32, [
    result({ op: "table", type: "i32", table: 1, at: word(0) }),
  ], { literals, tables });
  assertEquals([...kernelConstants(kernel)], [0x04030201, 5, 7, 0xffffffff, 9]);
  assertStringIncludes(emitWgsl(kernel, "single").code, "constants[4u + bitcast<u32>(at)]");
});

Deno.test("kernels that a device cannot bind or that WGSL cannot compute are refused", () => {
  const types = Array.from({ length: 6 }, () => INT32);
  const kernel = rowKernel(types, INT32, [result(word(0))]);
  assertEquals(wgslRefusal(kernel, 9), null);
  assertEquals(wgslRefusal(kernel, 8), "it reads 6 columns, and the device binds 5");
  assertEquals(
    wgslRefusal({ ...kernel, type: { kind: "fixed", byteWidth: 16 } }, 9),
    "its result is of type fixed",
  );
  const test = { op: "const", type: "bool", value: true } as const;
  const exits = (count: number) =>
    Array<Stmt>(count).fill({ do: "if", test, then: [{ do: "null" }], else: [] });
  assertEquals(wgslRefusal({ ...kernel, body: [...exits(64), result(word(0))] }, 9), null);
  assertEquals(
    wgslRefusal({ ...kernel, body: [{ do: "if", test, then: exits(64), else: [] }] }, 9),
    "it nests 65 deep, and the device takes 64",
  );
  assertThrows(
    () => rowCode([result({ op: "float", type: "f64", column: 0 })]),
    KernelError,
    "WGSL has no 64-bit floats",
  );
});

Deno.test("a loop in the update of another one stands in its body, where a row may end", () => {
  const body = [
    loop("outer", binary(local("k"), "<", word(0)), [
      when(binary(word(0), "==", int(1)), [jump("continue", "outer")]),
      when(binary(word(0), "==", int(2)), [jump("break", "outer")]),
      increment("n"),
    ], [loop("inner", binary(local("j"), "<", int(9)), [increment("j")])]),
    result(local("n")),
  ];
  assertEquals(
    rowCode([declare("j", int(0)), declare("k", int(0)), declare("n", int(0)), ...body]),
    `var v_j: i32 = 0;
let v_k: i32 = 0;
var v_n: i32 = 0;
var v_outer_SgoesOn = v_k < low0;
var leave_v_outer = false;
for (; v_outer_SgoesOn; ) {
  if (out_of_steps()) { return; }
  switch 0 {
    default: {
      if (low0 == 1) {
        break;
      }
      if (low0 == 2) {
        leave_v_outer = true;
        break;
      }
      v_n = v_n + 1;
    }
  }
  if (leave_v_outer) { v_outer_SgoesOn = false; continue; }
  for (; v_j < 9; ) {
    if (out_of_steps()) { return; }
    v_j = v_j + 1;
  }
  v_outer_SgoesOn = v_k < low0;
}
result0 = v_n;`,
  );
});

Deno.test("a loop that is left within a round, or whose test reads, asks a local at its head", () => {
  const going = binary(local("k"), ">", int(0));
  const code = (test: Scalar, ...rounds: Stmt[]) =>
    rowCode([
      declare("k", word(0)),
      loop("rows", test, rounds, [increment("k", -1)]),
      result(local("k")),
    ]);
  const asking = (test: string, ...rounds: string[]) =>
    [
      "var v_k: i32 = low0;",
      `var v_rows_SgoesOn = ${test};`,
      "for (; v_rows_SgoesOn; ) {",
      "  if (out_of_steps()) { return; }",
      ...rounds,
      "  v_k = v_k - 1;",
      ...(test === "true" ? [] : [`  v_rows_SgoesOn = ${test};`]),
      "}",
      "result0 = v_k;",
    ].join("\n");
  const leaves = when(binary(word(0), "==", local("k")), [jump("break", "rows")]);
  const leaving = [
    "  if (low0 == v_k) {",
    "    v_rows_SgoesOn = false;",
    "    continue;",
    "  }",
  ];
  assertEquals(code(going, leaves), asking("v_k > 0", ...leaving));
  assertEquals(code(bool(true), leaves), asking("true", ...leaving));
  const stored: Scalar = { op: "scratch", type: "i32", at: local("k") };
  assertEquals(code(binary(stored, "==", int(0))), asking("scratch[v_k] == 0"));
  const skips = when(binary(word(0), "==", local("k")), [jump("continue", "rows")]);
  assertEquals(code(going, skips).includes("goesOn"), false);
});
