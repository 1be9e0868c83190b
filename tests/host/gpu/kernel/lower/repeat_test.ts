import { assert, assertEquals, assertThrows } from "@std/assert";
import { ColumnFullError, OverflowError } from "../../../../../base/errors/value_error.ts";
import { viewBytes } from "../../../../../gpu/host/runtime/copy_bytes.ts";
import { checkRepeat, repeatBytes } from "../../../../../gpu/host/runtime/repeat_bytes.ts";
import { partitionIntoKernels } from "../../../../../gpu/kernel/partition/partition.ts";
import { parseRowFunction } from "../../../../../gpu/kernel/parse/parse_row_function.ts";
import { MAX_REPEATED_BYTES } from "../../../../../gpu/kernel/ir/ir.ts";
import type { i32, Sink, View } from "../../../../../gpu/kernel/language/row_function.ts";
import type { Tree } from "../../../../../gpu/kernel/tree/tree.ts";
import { evaluateAround } from "../../../../support/kernels/evaluate_around.ts";
import { columnOf, type Value, valuesOf } from "../../../../support/values/host_columns.ts";
import { countedKernels, stepsOf } from "../../../../support/kernels/kernel_steps.ts";
import { call, column, INT32, literal, STRING } from "../../../../support/kernels/trees.ts";
import { testKernels } from "../../../../support/kernels/test_kernels.ts";

const repeated = parseRowFunction({
  name: "repeated",
  kind: "emit",
  args: { times: "i32" },
  row(out: Sink, text: View, { times }: { times: i32 }) {
    out.repeat(text, times);
  },
});

function repeatedTree(text: Tree, times: Tree): Tree {
  return { node: "call", fn: repeated, text, args: [times], type: STRING };
}

function run(tree: Tree, texts: Value[], times: Value[], kernels = testKernels()): Value[] {
  const program = partitionIntoKernels([STRING, INT32], [{ label: "test", tree }]);
  const columns = [columnOf(STRING, texts), columnOf(INT32, times)];
  const [result] = evaluateAround(program, columns, texts.length, kernels);
  return result === undefined ? [] : valuesOf(result);
}

Deno.test("out.repeat() appends any number of times, on both sides of every code path", () => {
  const texts: string[] = [];
  const times: number[] = [];
  for (const text of ["", "a", "é", "ab", "five!", "a text of twenty-two b", "x".repeat(500)]) {
    for (const count of [-0x80000000, -1, 0, 1, 2, 3, 15, 16, 31, 32, 33, 64, 100, 1000]) {
      texts.push(text);
      times.push(count);
    }
  }
  const wanted = texts.map((text, row) => text.repeat(Math.max(times[row] ?? 0, 0)));
  assertEquals(run(repeatedTree(column(0), column(1, INT32)), texts, times), wanted);
  const upper = call("upper", repeatedTree(column(0), column(1, INT32)));
  assertEquals(
    run(upper, texts, times),
    wanted.map((text) => text.replace(/[a-z]/g, (c) => c.toUpperCase())),
  );
  for (const text of ["-", "é", "ab", "", "a longer literal"]) {
    const tree = repeatedTree(literal(text), column(1, INT32));
    assertEquals(run(tree, texts, times), times.map((count) => text.repeat(Math.max(count, 0))));
  }
});

Deno.test("repeatBytes() gives where the text ends, and writes only where there is room", () => {
  const source = viewBytes(Uint8Array.of(1, 2, 3, 4, 5));
  const target = viewBytes(new Uint8Array(12));
  assertEquals(repeatBytes(target, 1, source, 1, 4, 3, 0, 1), 10);
  assertEquals([...new Uint8Array(target.buffer)], [0, 2, 3, 4, 2, 3, 4, 2, 3, 4, 0, 0]);
  assertEquals(repeatBytes(target, 10, source, 0, 5, 2, 0, 0), 20);
  assertEquals([...new Uint8Array(target.buffer)], [0, 2, 3, 4, 2, 3, 4, 2, 3, 4, 0, 0]);
  assertEquals(repeatBytes(target, 3, source, 2, 2, 0x7fffffff, 0, 0), 3);
  assertEquals(repeatBytes(target, 3, source, 2, 4, -1, 0, 0), 3);
});

Deno.test("repeatBytes() writes the same by bytes, by words and by rounds", () => {
  const source = viewBytes(Uint8Array.from({ length: 80 }, (_, index) => index + 1));
  for (const size of [1, 2, 3, 7, 8, 9, 16, 63, 64, 65]) {
    for (const count of [1, 2, 3, 4, 5, 8, 33, 50, 51, 399, 400, 401, 1000]) {
      const target = viewBytes(new Uint8Array(size * count + 9));
      assertEquals(repeatBytes(target, 4, source, 2, 2 + size, count, 0, 4), 4 + size * count);
      const wanted = Array.from({ length: size * count }, (_, index) => 3 + index % size);
      assertEquals(
        [...new Uint8Array(target.buffer)],
        [0, 0, 0, 0, ...wanted, 0, 0, 0, 0, 0],
        `${size} ${count}`,
      );
    }
  }
});

Deno.test("a repetition over the limit is an error before anything is written", () => {
  checkRepeat(1, MAX_REPEATED_BYTES, 0, 0);
  checkRepeat(1, MAX_REPEATED_BYTES - 5, 0, 5);
  checkRepeat(0x7fffffff, 0, 0, 5);
  checkRepeat(0x7fffffff, -1, 0, 5);
  assertThrows(() => checkRepeat(1, MAX_REPEATED_BYTES + 1, 4, 0), OverflowError);
  const tooLong = assertThrows(
    () => checkRepeat(2, 2 ** 30, 4, 10),
    OverflowError,
    "Size of output exceeds 536870888 bytes of a row",
  );
  assertEquals([tooLong.row, tooLong.dataBytes], [4, 2 ** 31 + 10]);
  const target = viewBytes(new Uint8Array(4));
  const source = viewBytes(Uint8Array.of(7));
  const twoGiB = 2 ** 31 - 1;
  assertEquals(repeatBytes(target, twoGiB - 3, source, 0, 1, 3, 0, twoGiB - 3), twoGiB);
  const error = assertThrows(
    () => repeatBytes(target, twoGiB - 3, source, 0, 1, 4, 9, twoGiB - 3),
    ColumnFullError,
    "Size of output exceeds 2147483647 bytes",
  );
  assertEquals([error.row, error.dataBytes], [9, 2 ** 31]);
});

Deno.test("a repetition of a thousand million fails within a few steps, fused and mapped too", () => {
  const texts = ["ok", "a"];
  const times = [1, 1_000_000_000];
  const counted = repeatedTree(column(0), column(1, INT32));
  const trees = [
    counted,
    call("upper", counted),
    call("grow", counted, 63),
    repeatedTree(column(0), literal(1_000_000_000)),
    repeatedTree(literal("a"), literal(1_000_000_000)),
    repeatedTree(literal("ab"), column(1, INT32)),
    call("upper", repeatedTree(literal("ab"), column(1, INT32))),
  ];
  for (const tree of trees) {
    const attempt = (kernels = testKernels()) =>
      void assertThrows(() => run(tree, texts, times, kernels), OverflowError, "Size of output");
    attempt();
    const steps = stepsOf(() => attempt(countedKernels()));
    assert(steps < 1000, `${steps} steps`);
  }
});

Deno.test("a repetition of literals is folded while it is short", () => {
  const program = (count: number) =>
    partitionIntoKernels([STRING], [{
      label: "test",
      tree: repeatedTree(literal("ab"), literal(count)),
    }]);
  for (const count of [0, 3, 512, 513, 5000]) {
    const [result] = evaluateAround(
      program(count),
      [columnOf(STRING, ["x"])],
      1,
      testKernels(),
    );
    assertEquals(result && valuesOf(result), ["ab".repeat(count)]);
  }
});
