import type { Sink, TextList, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp, type TextArg } from "./define_string_op.ts";
import { callNode } from "../expr/call_node.ts";
import { argumentNode, knownSplit } from "./plain_split.ts";
import { replace } from "./replace.ts";

/**
 * The items of a list of strings, one after the other, with the separator between each two. Items
 * that are null are left out, unless `nulls` is the text that stands for them. An empty list gives
 * the empty text. After `split` with a literal delimiter no list is made: it is a replacement.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { col, fromBatches, toTable, withColumns } from "../../mod.ts";
 *
 * const names = fromBatches(tableFromArrays({ name: ["  Grace   Hopper "] }));
 * const table = await toTable(
 *   names.pipeThrough(withColumns({ name: col("name").split().join(" ") })),
 * );
 * assertEquals(table.get(0)?.name, "Grace Hopper");
 * ```
 */
export const join: StringOp<
  [separator: TextArg, nulls?: TextArg | null | { readonly nulls?: TextArg | null }]
> = defineStringOp({
  name: "join",
  group: "combine",
  args: { separator: "string", nulls: "string" },
  optional: ["nulls"],
  summary: "The items of a list, with a separator between each two",
  details: "Items that are null are left out, unless nulls says what stands for them.",
  differs: ["DuckDB: array_to_string() of a list with nulls only gives null"],
  examples: [
    { input: ["a", "b", "c"], args: [", "], result: "a, b, c" },
    { input: ["a", null, "c"], args: ["-"], result: "a-c" },
    { input: ["a", null, "c"], args: ["-", "?"], result: "a-?-c" },
  ],
  expand(text, { separator, nulls }) {
    const cut = knownSplit(text);
    const between = argumentNode(separator);
    if (cut?.delimiter === undefined || between === undefined) return undefined;
    // No part is null, but where `nulls` of a row is, the result is.
    if (nulls !== undefined && typeof nulls !== "string") return undefined;
    const limit = cut.limit === undefined ? [] : [cut.limit];
    return callNode(replace, cut.text, [cut.delimiter, between, ...limit]);
  },
  choose: ({ nulls }) => nulls === undefined ? "skip" : "replace",
  overloads: {
    skip: {
      kind: "emit",
      subject: "list",
      args: { separator: "string" },
      row(out: Sink, list: TextList, separator: View) {
        let isFirst = true;
        for (let i = 0; i < list.size; i++) {
          if (list.isNull(i)) continue;
          if (!isFirst) out.copy(separator);
          out.copy(list.at(i));
          isFirst = false;
        }
      },
    },
    replace: {
      kind: "emit",
      subject: "list",
      args: { separator: "string", nulls: "string" },
      row(out: Sink, list: TextList, separator: View, nulls: View) {
        for (let i = 0; i < list.size; i++) {
          if (i > 0) out.copy(separator);
          if (list.isNull(i)) out.copy(nulls);
          else out.copy(list.at(i));
        }
      },
    },
  },
});
