import type { View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp, type TextArg } from "./define_string_op.ts";

/**
 * The text before the first `delimiter`, the delimiter, and the text after it, as three columns:
 * `p = name.partition("-")` gives the columns `p_before`, `p_delimiter` and `p_after`. Where the
 * delimiter does not occur, the whole text comes before it, as in Python; the
 * other two are empty. An empty literal delimiter is an error; where the delimiter of a row is empty
 * all three are null.
 *
 * It can only be a whole column of `withColumns`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { col, fromBatches, toTable, withColumns } from "../../mod.ts";
 *
 * const paths = fromBatches(tableFromArrays({ path: ["usr/lib/deno"] }));
 * const parts = withColumns({ part: col("path").partition("/") });
 * const row = (await toTable(paths.pipeThrough(parts))).get(0);
 * assertEquals([row?.part_before, row?.part_delimiter, row?.part_after], ["usr", "/", "lib/deno"]);
 * ```
 */
export const partition: StringOp<[delimiter: TextArg]> = defineStringOp({
  name: "partition",
  args: { delimiter: "string" },
  optional: [],
  group: "split",
  summary: "The text before the first delimiter, the delimiter, and the text after it",
  details: 'Three columns: p = name.partition("-") gives p_before, p_delimiter and p_after. ' +
    "It can only be a whole column of with.",
  examples: [
    { input: "usr/lib/deno", args: ["/"], result: ["usr", "/", "lib/deno"] },
    { input: "deno", args: ["/"], result: ["deno", "", ""] },
  ],
  check: ({ delimiter }) => delimiter === "" ? "the delimiter is empty" : undefined,
  parts: ["before", "delimiter", "after"],
  choose: () => undefined,
  overloads: {
    before: {
      kind: "view",
      args: { delimiter: "string" },
      row(text: View, delimiter: View): View | null {
        if (delimiter.size === 0) return null;
        const at = text.find(delimiter, 0);
        return text.sub(0, at < 0 ? text.size : at);
      },
    },
    delimiter: {
      kind: "view",
      args: { delimiter: "string" },
      row(text: View, delimiter: View): View | null {
        if (delimiter.size === 0) return null;
        const at = text.find(delimiter, 0);
        return text.sub(at, at < 0 ? 0 : at + delimiter.size);
      },
    },
    after: {
      kind: "view",
      args: { delimiter: "string" },
      row(text: View, delimiter: View): View | null {
        if (delimiter.size === 0) return null;
        const at = text.find(delimiter, 0);
        return text.sub(at < 0 ? text.size : at + delimiter.size, text.size);
      },
    },
  },
});
