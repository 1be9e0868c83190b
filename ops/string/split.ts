import type { i32, ListSink, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type IntArg, type StringOp, type TextArg } from "./define_string_op.ts";
import { isWhiteSpace } from "./white_space.ts";

/**
 * The parts of the text between delimiters, as a list of strings, by Python's rules. Without a
 * delimiter the parts stand between runs of white space, and none of them is empty; with one they
 * stand between each two of them and may be empty, so that an empty text has one empty part. At
 * most `limit` cuts are made, from the left; all where it is negative or absent. The rest is the
 * last part.
 *
 * An empty literal delimiter is an error; where the delimiter of a row is empty the list is null.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { col, fromBatches, toTable, withColumns } from "../../mod.ts";
 *
 * const paths = fromBatches(tableFromArrays({ path: ["usr/lib/deno"] }));
 * const table = await toTable(
 *   paths.pipeThrough(withColumns({ parts: col("path").split("/", 1) })),
 * );
 * assertEquals([...table.get(0)?.parts], ["usr", "lib/deno"]);
 * ```
 */
export const split: StringOp<[delimiter?: TextArg | null, limit?: IntArg | null]> = defineStringOp({
  name: "split",
  args: { delimiter: "string", limit: "i32" },
  optional: ["delimiter", "limit"],
  group: "split",
  summary: "The parts between delimiters, or between runs of white space, as a list",
  examples: [
    { input: "a,b,,c", args: [","], result: ["a", "b", "", "c"] },
    { input: "a,b,c", args: [",", 1], result: ["a", "b,c"] },
    { input: "  Grace  Hopper ", result: ["Grace", "Hopper"] },
  ],
  check: ({ delimiter }) => delimiter === "" ? "the delimiter is empty" : undefined,
  choose: ({ delimiter }) => delimiter === undefined ? "space" : "delimiter",
  overloads: {
    delimiter: {
      kind: "list",
      args: { delimiter: "string", limit: "i32" },
      defaults: { limit: -1 },
      row(out: ListSink, text: View, delimiter: View, limit: i32) {
        if (delimiter.size === 0) return null;
        let start = 0;
        let left = limit;
        while (left !== 0) {
          const at = text.find(delimiter, start);
          if (at < 0) break;
          out.item(text.sub(start, at));
          start = at + delimiter.size;
          if (left > 0) left--;
        }
        out.item(text.sub(start, text.size));
      },
    },
    space: {
      kind: "list",
      args: { limit: "i32" },
      defaults: { limit: -1 },
      consts: { isWhiteSpace },
      row(out: ListSink, text: View, limit: i32, c: { isWhiteSpace: typeof isWhiteSpace }) {
        let left = limit;
        // Where the open part starts; -1 between two parts.
        let start = -1;
        for (let at = 0; at < text.size; at = text.next(at)) {
          if (!c.isWhiteSpace(text.charAt(at))) {
            if (start < 0) {
              start = at;
              if (left === 0) break;
              if (left > 0) left--;
            }
          } else if (start >= 0) {
            out.item(text.sub(start, at));
            start = -1;
          }
        }
        if (start >= 0) out.item(text.sub(start, text.size));
      },
    },
  },
});
