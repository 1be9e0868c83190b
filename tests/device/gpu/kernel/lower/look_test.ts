/** Maps that look at the characters beside each one, on a device and for ASCII text. */

import { assertEquals } from "@std/assert";
import { partitionIntoKernels } from "../../../../../gpu/kernel/partition/partition.ts";
import { describeTree } from "../../../../../gpu/kernel/tree/describe_tree.ts";
import type { Tree } from "../../../../../gpu/kernel/tree/tree.ts";
import { contextTest, evaluateToHost } from "../../../../support/device/device_kernels.ts";
import { evaluateTree } from "../../../../support/models/evaluate_tree.ts";
import { columnOf, type Value, valuesOf } from "../../../../support/values/host_columns.ts";
import { call, column, concat, STRING } from "../../../../support/kernels/trees.ts";

const name = column(0);
const city = column(1);
const both = concat(name, " ", city);

const TREES: readonly Tree[] = [
  call("shadow", name),
  call("trim", name),
  call("stitch", name, city, 4),
  call("shadow", both),
  call("trim", both),
  call("stitch", call("shadow", call("upper", both)), "-", 4),
  concat(call("shadow", both), call("reverse", call("grow", name, 0xe9))),
];

const COLUMNS: Record<string, readonly (readonly Value[])[]> = {
  ASCII: [["", "ab!", " ", null, "zz!"], ["", " cd ", "face!", "a", null]],
  other: [["é", "ab!", " é", null, ""], ["", "é cdé", "𝄞face!", "é", "xé!"]],
};

for (const [which, columns] of Object.entries(COLUMNS)) {
  contextTest(`${which} text: maps that look give on a device what they mean`, async (context) => {
    for (const fuse of [true, false]) {
      const outputs = TREES.map((tree) => ({ label: describeTree(tree), tree }));
      const program = partitionIntoKernels([STRING, STRING], outputs, { fuse });
      const inputs = columns.map((values) => columnOf(STRING, values));
      const results = await evaluateToHost(context, program, inputs, 5);
      for (const [index, { tree, label }] of outputs.entries()) {
        const rows = [0, 1, 2, 3, 4].map((row) => columns.map((values) => values[row] ?? null));
        const result = results[index];
        assertEquals(
          result && valuesOf(result),
          rows.map((row) => evaluateTree(tree, row)),
          `${label}, fuse: ${fuse}`,
        );
      }
    }
  });
}

contextTest(
  "a test that a loop asked is asked again behind it, while other rows go on",
  async (context) => {
    // Rows that leave the loop in different rounds, and by both of its ends.
    const texts = [
      "a b",
      "ab c",
      "a",
      "  a  b",
      "A 1",
      "x ,4",
      "é b",
      " ",
      "abc d e",
      "a   b",
      null,
    ];
    for (const values of [texts, texts.filter((text) => text !== "é b")]) {
      const tree = call("trim", name);
      const program = partitionIntoKernels([STRING], [{ label: "trim", tree }]);
      const [result] = await evaluateToHost(
        context,
        program,
        [columnOf(STRING, values)],
        values.length,
      );
      assertEquals(valuesOf(result!), values.map((text) => evaluateTree(tree, [text])));
    }
  },
);
