/**
 * Generated WGSL on a device: arithmetic, jumps and the forms of results, from code built by hand.
 */

import type { ColumnType } from "../../../../../../gpu/column/column.ts";
import type { Scalar, Stmt } from "../../../../../../gpu/kernel/ir/ir.ts";
import { deviceTest } from "../../../../../support/device/adapter.ts";
import { columnOf, stringColumn } from "../../../../../support/values/host_columns.ts";
import { assertComputes } from "../../../../../support/device/device_kernels.ts";
import {
  binary,
  block,
  BOOL,
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
  set,
  start,
  stop,
  STRING,
  textOf,
  unary,
  when,
  word,
} from "../../../../../support/kernels/ir_builders.ts";

deviceTest("jumps leave several loops and blocks at once", async () => {
  const limits = Array.from({ length: 40 }, (_, k) => k);
  const x = word(0);
  const count = local("count");
  const [i, j, k] = [local("i"), local("j"), local("k")];
  const mod = (value: Scalar, by: number) => binary(value, "%", int(by));

  // Jumps of every kind, from three levels down, over loops and blocks in turn.
  const body: Stmt[] = [
    declare("count", int(0)),
    declare("i", int(0)),
    loop("outer", binary(i, "<", int(6)), [
      declare("j", int(0)),
      block("part", [
        loop("middle", binary(j, "<", int(5)), [
          declare("k", int(0)),
          loop("inner", binary(k, "<", int(4)), [
            increment("count"),
            declare(
              "step",
              binary(binary(binary(i, "*", int(20)), "+", binary(j, "*", int(4))), "+", k),
            ),
            when(binary(mod(binary(local("step"), "+", x), 7), "==", int(6)), [
              jump("continue", "outer"),
            ]),
            when(binary(mod(binary(local("step"), "+", x), 11), "==", int(10)), [
              jump("break", "part"),
            ]),
            when(binary(mod(binary(local("step"), "+", x), 13), "==", int(12)), [
              jump("continue", "middle"),
            ]),
            when(binary(mod(binary(local("step"), "+", x), 17), "==", int(16)), [
              jump("break", "middle"),
            ]),
            when(binary(mod(binary(local("step"), "+", x), 37), "==", int(36)), [
              jump("break", "outer"),
            ], [
              when(binary(mod(k, 2), "==", int(1)), [jump("continue", "inner")]),
            ]),
            increment("count", 100),
          ], [increment("k")]),
          increment("count", 10_000),
        ], [increment("j"), increment("count", 3)]),
        increment("count", 1_000_000),
      ]),
      increment("count", 20_000_000),
    ], [increment("i")]),
    result(count),
  ];

  const expected = (row: number) => {
    let count = 0;
    outer: for (let i = 0; i < 6; i++) {
      let j = 0;
      part: {
        middle: for (; j < 5; j++, count += 3) {
          for (let k = 0; k < 4; k++) {
            count++;
            const step = i * 20 + j * 4 + k + limits[row]!;
            if (step % 7 === 6) continue outer;
            if (step % 11 === 10) break part;
            if (step % 13 === 12) continue middle;
            if (step % 17 === 16) break middle;
            if (step % 37 === 36) break outer;
            if (k % 2 === 1) continue;
            count += 100;
          }
          count += 10_000;
        }
        count += 1_000_000;
      }
      count += 20_000_000;
    }
    return count;
  };
  await assertComputes([{ kernel: rowKernel([INT32], INT32, body), expected }], [
    columnOf(INT32, limits),
  ]);
});

deviceTest("null ends the row from inside a loop and drops its text", async () => {
  const texts = ["abc", "", "a!c", "!", "😀é!", "plain", null, "tail!"];
  const at = local("at");
  const body: Stmt[] = [
    when({ op: "valid", type: "bool", column: 0 }, [], [{ do: "null" }]),
    declare("at", start(0)),
    loop("bytes", binary(at, "<", stop(0)), [
      block("check", [
        when(binary(byte(textOf(0), at), "==", int(0x21)), [{ do: "null" }]),
        jump("break", "check"),
      ]),
      put(byte(textOf(0), at)),
    ], [increment("at")]),
  ];
  await assertComputes([{
    kernel: rowKernel([STRING], STRING, body, { canBeNull: true }),
    expected: (row) => texts[row]?.includes("!") ?? true ? null : texts[row],
  }], [stringColumn(texts)]);
});

deviceTest("literals and tables are read at computed positions", async () => {
  const literals = new TextEncoder().encode("zero one two three, and a longer one than most");
  const table = Int32Array.from([-5, 0x7fffffff, -0x80000000, 42]);
  const positions = [0, 1, 2, 3];
  const x = word(0);
  const more = { literals, tables: [new Int32Array([9]), table] };
  await assertComputes([
    {
      kernel: rowKernel(
        [INT32],
        INT32,
        [result({ op: "table", type: "i32", table: 1, at: x })],
        more,
      ),
      expected: (row) => table[positions[row]!],
    },
    {
      kernel: rowKernel([INT32], INT32, [result(byte(LITERALS, binary(x, "*", int(5))))], more),
      expected: (row) => literals[positions[row]! * 5],
    },
    {
      kernel: rowKernel(
        [INT32],
        STRING,
        [copy(LITERALS, x, int(literals.length)), copy(LITERALS, int(5), int(8)), put(x)],
        more,
      ),
      expected: (row) => {
        const text = new TextDecoder().decode(literals.subarray(positions[row]!));
        return `${text}one${String.fromCharCode(positions[row]!)}`;
      },
    },
    {
      kernel: rowKernel([INT32], STRING, [copy(LITERALS, int(0), int(literals.length))], more),
      expected: () => new TextDecoder().decode(literals),
    },
  ], [columnOf(INT32, positions)]);
});

deviceTest("every width of integer is read and written, with nulls", async () => {
  const numbers = Array.from({ length: 600 }, (_, k) => k % 5 === 3 ? null : (k * 37) % 200 - 100);
  const valid: Scalar = { op: "valid", type: "bool", column: 0 };
  for (const bits of [8, 16, 32] as const) {
    for (const signed of [true, false]) {
      const type: ColumnType = { kind: "int", bits, signed };
      const kernel = rowKernel([type], type, [
        when(valid, [result(binary(word(0), "+", int(1)))], [{ do: "null" }]),
      ], { canBeNull: true, label: `${signed ? "" : "u"}int${bits}` });
      const wrap = (value: number) =>
        signed ? value : bits === 32 ? value >>> 0 : value & (2 ** bits - 1);
      await assertComputes([{
        kernel,
        expected: (row) => numbers[row] === null ? null : wrap(numbers[row]! + 1),
      }], [columnOf(type, numbers)]);
    }
  }
  const large = numbers.map((value) => value === null ? null : BigInt(value) * 0x1_0000_0001n);
  const int64: ColumnType = { kind: "int", bits: 64, signed: true };
  await assertComputes([{
    kernel: rowKernel([int64], int64, [
      when(valid, [result(word(0, 1), word(0, 0))], [{ do: "null" }]),
    ], { canBeNull: true, label: "swaps the words of int64" }),
    expected: (row) => {
      const value = large[row];
      if (value === null || value === undefined) return null;
      const bits = BigInt.asUintN(64, value);
      return BigInt.asIntN(64, (bits >> 32n) | ((bits & 0xffffffffn) << 32n));
    },
  }], [columnOf({ kind: "int", bits: 64, signed: true }, large)]);
});

deviceTest("bools are read and written as bits, with nulls", async () => {
  const values = Array.from({ length: 1000 }, (_, k) => k % 7 === 2 ? null : k % 3 === 0);
  const bit: Scalar = { op: "bit", type: "bool", column: 0 };
  const valid: Scalar = { op: "valid", type: "bool", column: 0 };
  await assertComputes([{
    kernel: rowKernel([BOOL], BOOL, [
      when(valid, [result(unary("!", bit))], [{ do: "null" }]),
    ], { canBeNull: true }),
    expected: (row) => values[row] === null ? null : !values[row],
  }], [columnOf(BOOL, values)]);
});

deviceTest("locals may have names that WGSL reserves or that the kernel uses itself", async () => {
  const names = [
    "fn",
    "target",
    "override",
    "i32",
    "params",
    "push",
    "index",
    "priv",
    "a$b",
    "array",
  ];
  const body: Stmt[] = [
    ...names.map((name, k) => declare(name, int(k))),
    ...names.map((name) => set(name, binary(local(name), "+", word(0)))),
    result(names.map((name) => local(name)).reduce((sum, value) => binary(sum, "+", value))),
  ];
  await assertComputes([{
    kernel: rowKernel([INT32], INT32, body),
    expected: (row) => 45 + 10 * row,
  }], [columnOf(INT32, [0, 1, 2])]);
});

deviceTest("a local that is assigned in a loop keeps its value behind it", async () => {
  const texts = ["", "a", "bcd", "éé"];
  const at = local("at");
  await assertComputes([{
    kernel: rowKernel([STRING], INT32, [
      declare("sum", int(0)),
      declare("at", start(0)),
      loop("bytes", bool(true), [
        when(binary(at, ">=", stop(0)), [jump("break", "bytes")]),
        set("sum", binary(local("sum"), "+", byte(textOf(0), at))),
        increment("at"),
      ]),
      result(local("sum")),
    ]),
    expected: (row) => new TextEncoder().encode(texts[row]).reduce((sum, byte) => sum + byte, 0),
  }], [stringColumn(texts)]);
});
