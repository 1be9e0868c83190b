/** Helpers, scratch and repetition on a device, against plain strings. */

import { assertEquals } from "@std/assert";
import { partitionIntoKernels } from "../../../../../gpu/kernel/partition/partition.ts";
import { describeTree } from "../../../../../gpu/kernel/tree/describe_tree.ts";
import type { Tree } from "../../../../../gpu/kernel/tree/tree.ts";
import { contextTest, evaluateToHost } from "../../../../support/device/device_kernels.ts";
import { evaluateTree } from "../../../../support/models/evaluate_tree.ts";
import { columnOf, type Value, valuesOf } from "../../../../support/values/host_columns.ts";
import { someOf } from "../../../../support/random/test_size.ts";
import { call, choose, column, INT32, literal, STRING } from "../../../../support/kernels/trees.ts";

const TEXTS: Value[] = [
  "",
  "a",
  "Hello, World",
  null,
  "12 abc é",
  "ééé zz 𝄞𝄞 !",
  "no end to these letters, nor to this text, which takes several words",
  "zzzzzzzz",
  "\u0000\u007f\u0080",
];
const NUMBERS: Value[] = [0, 1, 25, 3, -1, 31, null, 0x7fffffff, -0x80000000];

const name = column(0);
const contains = (text: Tree, target: string) => call("contains", text, target);
const number = column(1, INT32);

const TREES: readonly Tree[] = [
  call("rotate", name, 13),
  call("rotate", name, number),
  call("firstWord", name),
  call("countLetters", name, "abcdefghijklmnopqrst"),
  call("rotate", call("firstWord", name), number),
  call("stammered", name, 3),
  call("stammered", name, number),
  call("rotate", call("stammered", call("firstWord", name), number), 13),
  call("lastEight", name),
  call("twice", call("twice", call("lastEight", name))),
  call("commonest", name),
  call("swapped", name, number),
  call("ditto", name, number),
  call("upper", call("ditto", name, 3)),
  call("framed", name, "*", number),
  call("framed", name, "é", number),
  call("framed", name, name, number),
  call("grow", call("framed", name, "!", number), 0xe9),
  call("rotate", call("framed", name, name, number), number),
  call("framed", name, choose(contains(name, "e"), name, literal("-")), number),
];

contextTest(
  "helpers, scratch and repetitions compute on a device what they mean",
  async (context) => {
    const columns = [columnOf(STRING, TEXTS), columnOf(INT32, NUMBERS)];
    for (const fuse of [true, false]) {
      const outputs = someOf(TREES, 8).map((tree) => ({ label: describeTree(tree), tree }));
      const program = partitionIntoKernels([STRING, INT32], outputs, { fuse });
      const results = await evaluateToHost(context, program, columns, TEXTS.length);
      for (const [index, { tree, label }] of outputs.entries()) {
        const wanted = TEXTS.map((text, row) => evaluateTree(tree, [text, NUMBERS[row] ?? null]));
        const result = results[index];
        assertEquals(result && valuesOf(result), wanted, `${label}, fuse: ${fuse}`);
      }
    }
  },
);
