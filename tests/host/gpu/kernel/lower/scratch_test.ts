import { assert, assertEquals, assertThrows } from "@std/assert";
import { KernelError } from "../../../../../base/errors/expr_error.ts";
import { partitionIntoKernels } from "../../../../../gpu/kernel/partition/partition.ts";
import { wgslRefusal } from "../../../../../gpu/kernel/emit/wgsl/refusal.ts";
import type { RowKernel } from "../../../../../gpu/kernel/ir/ir.ts";
import { lowerKernel } from "../../../../../gpu/kernel/lower/lower.ts";
import { parseRowFunction } from "../../../../../gpu/kernel/parse/parse_row_function.ts";
import type {
  RowFunction,
  Scratch,
  Sink,
  View,
} from "../../../../../gpu/kernel/language/row_function.ts";
import { scratch } from "../../../../../gpu/kernel/language/scratch.ts";
import type { Tree } from "../../../../../gpu/kernel/tree/tree.ts";
import { evaluateAround } from "../../../../support/kernels/evaluate_around.ts";
import { columnOf, valuesOf } from "../../../../support/values/host_columns.ts";
import { call, column, concat, INT32, STRING } from "../../../../support/kernels/trees.ts";
import { testKernels } from "../../../../support/kernels/test_kernels.ts";

function lowered(tree: Tree): RowKernel {
  const [kernel] = partitionIntoKernels([STRING], [{ label: "test", tree }]).kernels;
  const ir = kernel && lowerKernel(kernel, [STRING], { ascii: false, nullable: [false] });
  if (ir?.kernel !== "row") throw new Error("The tree is one kernel of rows");
  return ir;
}

/** Copies its text, and writes to scratch of some size. */
function copying(size: number): RowFunction {
  return parseRowFunction({
    name: "copying",
    kind: "emit",
    consts: { words: scratch(size) },
    row(out: Sink, text: View, c: { words: Scratch }) {
      c.words.set(0, text.size);
      if (c.words.at(0) > 0) out.copy(text);
    },
  });
}

function callOf(fn: RowFunction, text: Tree): Tree {
  return { node: "call", fn, text, args: [], type: STRING };
}

Deno.test("scratch() takes 1 to 4096 words", () => {
  assertEquals([scratch(1).size, scratch(4096).size], [1, 4096]);
  for (const size of [0, -1, 4097, 1.5, NaN]) {
    assertThrows(() => scratch(size), RangeError, `scratch(size) takes 1 to 4096 words, not`);
  }
});

Deno.test("operations whose code runs at once have words of their own, others share them", () => {
  // One ring of 8 words; twice has 3 and runs inside of it.
  assertEquals(lowered(call("lastEight", column(0))).scratchWords, 8);
  assertEquals(lowered(call("twice", call("lastEight", column(0)))).scratchWords, 11);
  assertEquals(lowered(call("twice", call("twice", column(0)))).scratchWords, 6);
  const one = call("lastEight", column(0));
  assertEquals(lowered(concat(one, one, one)).scratchWords, 8);
  assertEquals(lowered(call("upper", column(0))).scratchWords, undefined);
});

Deno.test("a kernel that needs more scratch than there is is an error that says so", () => {
  const large = copying(4096);
  assertEquals(lowered(callOf(large, column(0))).scratchWords, 4096);
  assertThrows(
    () => lowered(call("twice", callOf(large, column(0)))),
    KernelError,
    "twice: the operations of one kernel need 4099 words of scratch, over 4096",
  );
});

Deno.test("a device is asked for 1024 words of scratch at most", () => {
  assertEquals(wgslRefusal(lowered(callOf(copying(1024), column(0))), 8), null);
  assertEquals(
    wgslRefusal(lowered(callOf(copying(1025), column(0))), 8),
    "it keeps 1025 words for a row, and the device 1024",
  );
});

Deno.test("a call of a helper is a statement only if the helper stores something", () => {
  const names = lowered(call("lastEight", column(0)));
  assert(JSON.stringify(names.body).includes('"store"'));
  const spec = {
    name: "op",
    kind: "measure",
    consts: { words: scratch(1) },
    row(text: View, c: { words: Scratch }) {
      c.words.at(0);
      return text.size;
    },
  } as const;
  assertThrows(() => parseRowFunction(spec), KernelError, "op: the statement has no effect");
  assertThrows(
    () =>
      parseRowFunction({
        ...spec,
        row: (_text: View, c: { words: { set(i: number, v: number): number } }) =>
          c.words.set(0, 1),
      }),
    KernelError,
    "op: words.set has no value; make it a statement",
  );
  assertThrows(
    () => parseRowFunction({ ...spec, row: (_text: View, c: { words: number }) => c.words }),
    KernelError,
    "op: words is scratch; use at and set",
  );
});

Deno.test("an index that is known, masked or anything else stays inside of its own words", () => {
  const fn = parseRowFunction({
    name: "indices",
    kind: "measure",
    args: { index: "i32" },
    consts: { before: scratch(1), words: scratch(4), after: scratch(1) },
    row(
      text: View,
      { index, before, words, after }: {
        index: number;
        before: Scratch;
        words: Scratch;
        after: Scratch;
      },
    ) {
      before.set(0, 7);
      after.set(0, 9);
      for (let i = 0; i < 4; i++) words.set(i, i + 1);
      words.set(-1, 100);
      words.set(4, 100);
      words.set(index, 5);
      words.set(index & 3, words.at(index & 3) * 10);
      let sum = before.at(0) * 1000000 + after.at(0) * 100000 + text.size;
      for (let i = -2; i < 6; i++) sum += words.at(i) * (i + 1);
      return sum + words.at(index);
    },
  });
  const meaning = (index: number) => {
    const words = [1, 2, 3, 4];
    if (index >= 0 && index < 4) words[index] = 5;
    words[index & 3] = (words[index & 3] ?? 0) * 10;
    return words.reduce((sum, word, i) => sum + word * (i + 1), 7900000) + (words[index] ?? 0);
  };
  const indices = [0, 1, 3, 4, 5, -1, -4, 0x7fffffff, -0x80000000];
  const tree = {
    node: "call",
    fn,
    text: column(0),
    args: [column(1, INT32)],
    type: INT32,
  } as const;
  const program = partitionIntoKernels([STRING, INT32], [{ label: "test", tree }]);
  const columns = [columnOf(STRING, indices.map(() => "")), columnOf(INT32, indices)];
  const [result] = evaluateAround(program, columns, indices.length, testKernels());
  assertEquals(result && valuesOf(result), indices.map(meaning));
});
