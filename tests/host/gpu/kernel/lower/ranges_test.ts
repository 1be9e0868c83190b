import { assertEquals } from "@std/assert";
import type { ColumnType } from "../../../../../gpu/column/column.ts";
import type { BinaryFn, Scalar } from "../../../../../gpu/kernel/ir/ir.ts";
import { binary, convert, int, long, select } from "../../../../../gpu/kernel/ir/scalar.ts";
import { withoutNeedlessTests } from "../../../../../gpu/kernel/lower/ranges.ts";
import { declare, result, set, when, word } from "../../../../support/kernels/ir_builders.ts";

const int16: ColumnType = { kind: "int", bits: 16, signed: true };
const uint32: ColumnType = { kind: "int", bits: 32, signed: false };
const int64: ColumnType = { kind: "int", bits: 64, signed: true };
const TYPES = [int16, uint32, int64];

const short = convert("extend", "i64", word(0));
const unsigned = convert("extendU", "i64", word(1));
const wide: Scalar = { op: "long", type: "i64", column: 2 };

/** Whether a test of overflow stays in the code. */
function stays(fn: BinaryFn, left: Scalar, right: Scalar): boolean {
  const sum: Scalar = { op: "binary", type: "bool", fn, left, right };
  const folded = withoutNeedlessTests([when(sum, [{ do: "null" }]), result(left)], TYPES);
  return folded.length === 2;
}

Deno.test("a test of overflow goes where the types leave no room for one, and stays elsewhere", () => {
  const cases: [BinaryFn, Scalar, Scalar, boolean][] = [
    ["+overflows", short, unsigned, false],
    ["*overflows", short, unsigned, false],
    ["*overflows", unsigned, unsigned, true],
    ["*overflows", convert("extend", "i64", word(1)), convert("extend", "i64", word(1)), false],
    ["*overflowsU", unsigned, unsigned, false],
    ["-overflowsU", unsigned, unsigned, true],
    ["+overflowsU", short, unsigned, true],
    ["-overflowsU", convert("extend", "i64", binary("&", word(0), int(7))), long(0n), false],
    ["+overflows", wide, long(1n), true],
    ["+overflows", wide, long(0n), false],
    ["+overflows", binary("/", wide, long(2n)), binary("/", wide, long(2n)), false],
    ["+overflows", binary("/", wide, long(2n)), wide, true],
    ["*overflows", binary("%", wide, long(-1000n)), unsigned, false],
    ["*overflows", binary("&", wide, long(0x7fff_ffffn)), unsigned, false],
    ["-overflows", long(0n), wide, true],
    ["*overflows", binary("+", wide, short), long(2n), true],
    ["+overflows", select(binary("<", wide, short), short, unsigned), short, false],
    ["+overflows", select(binary("<", wide, short), short, wide), short, true],
  ];
  for (const [index, [fn, left, right, expected]] of cases.entries()) {
    assertEquals(stays(fn, left, right), expected, `case ${index}: ${fn}`);
  }
});

Deno.test("a local keeps its range unless it changes", () => {
  const local: Scalar = { op: "local", type: "i64", name: "v" };
  const body = (change: boolean) => [
    declare("v", short),
    ...(change ? [set("v", wide)] : []),
    when(binary("+overflows", local, long(1n)), [{ do: "null" }]),
    result(local),
  ];
  assertEquals(withoutNeedlessTests(body(false), TYPES), [declare("v", short), result(local)]);
  assertEquals(withoutNeedlessTests(body(true), TYPES), body(true));
});
