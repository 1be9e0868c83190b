import type { i32, TextList, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp } from "./define_string_op.ts";
import { callNode } from "../expr/call_node.ts";
import { partCount } from "./part_count.ts";
import { knownSplit } from "./plain_split.ts";

/**
 * The number of characters (code points), or of the items of a list, null ones included. After
 * `split` of a literal delimiter, or of white space, no list is made.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { col, fromBatches, toTable, withColumns } from "../../mod.ts";
 *
 * const names = fromBatches(tableFromArrays({ name: ["Grace Hopper"] }));
 * const name = col("name");
 * const table = await toTable(
 *   names.pipeThrough(withColumns({ size: name.length(), words: name.split().length() })),
 * );
 * assertEquals([table.get(0)?.size, table.get(0)?.words], [12, 2]);
 * ```
 */
export const length: StringOp<[]> = defineStringOp({
  name: "length",
  group: "size",
  args: {},
  optional: [],
  summary: "The number of characters (code points), or of the items of a list",
  details: "Items that are null count.",
  examples: [
    { input: "naïve 🙂", result: 7 },
    { input: null, result: null },
    { input: ["a", null, "c"], result: 3 },
  ],
  expand(text) {
    const cut = knownSplit(text);
    if (cut === undefined || cut.limit !== undefined) return undefined;
    return callNode(partCount, cut.text, cut.delimiter === undefined ? [] : [cut.delimiter]);
  },
  choose: (_, on) => on === "list" ? "list" : "text",
  overloads: {
    text: { kind: "measure", row: (text: View): i32 => text.length },
    list: { kind: "measure", subject: "list", row: (list: TextList): i32 => list.size },
  },
});
