import type { i32, ListSink, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type IntArg, type StringOp, type TextArg } from "./define_string_op.ts";
import { isWhiteSpace } from "./white_space.ts";

/**
 * As `split`, but from the right: where there is a limit, the rest is the first part. Delimiters
 * that could overlap are found from the right too.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { col, fromBatches, toTable, withColumns } from "../../mod.ts";
 *
 * const paths = fromBatches(tableFromArrays({ path: ["usr/lib/deno"] }));
 * const table = await toTable(
 *   paths.pipeThrough(withColumns({ parts: col("path").rsplit("/", 1) })),
 * );
 * assertEquals([...table.get(0)?.parts], ["usr/lib", "deno"]);
 * ```
 */
export const rsplit: StringOp<[delimiter?: TextArg | null, limit?: IntArg | null]> = defineStringOp(
  {
    name: "rsplit",
    args: { delimiter: "string", limit: "i32" },
    optional: ["delimiter", "limit"],
    group: "split",
    summary: "The parts between delimiters, or between runs of white space, cut from the right",
    examples: [
      { input: "a,b,c", args: [",", 1], result: ["a,b", "c"] },
      { input: "aaa", args: ["aa"], result: ["a", ""] },
      { input: " Ada  King Lovelace ", args: [null, 1], result: [" Ada  King", "Lovelace"] },
    ],
    check: ({ delimiter }) => delimiter === "" ? "the delimiter is empty" : undefined,
    choose: ({ delimiter }) => delimiter === undefined ? "space" : "delimiter",
    overloads: {
      delimiter: {
        kind: "list",
        backward: true,
        args: { delimiter: "string", limit: "i32" },
        defaults: { limit: -1 },
        row(out: ListSink, text: View, delimiter: View, limit: i32) {
          if (delimiter.size === 0) return null;
          let stop = text.size;
          let left = limit;
          while (left !== 0) {
            const at = text.sub(0, stop).rfind(delimiter);
            if (at < 0) break;
            out.item(text.sub(at + delimiter.size, stop));
            stop = at;
            if (left > 0) left--;
          }
          out.item(text.sub(0, stop));
        },
      },
      space: {
        kind: "list",
        backward: true,
        args: { limit: "i32" },
        defaults: { limit: -1 },
        consts: { isWhiteSpace },
        row(out: ListSink, text: View, limit: i32, c: { isWhiteSpace: typeof isWhiteSpace }) {
          let left = limit;
          // Where the open part stops; -1 between two parts.
          let stop = -1;
          let at = text.size;
          while (at > 0) {
            const before = text.prev(at);
            if (!c.isWhiteSpace(text.charAt(before))) {
              if (stop < 0) {
                stop = at;
                if (left === 0) break;
                if (left > 0) left--;
              }
            } else if (stop >= 0) {
              out.item(text.sub(at, stop));
              stop = -1;
            }
            at = before;
          }
          if (stop >= 0) out.item(text.sub(0, stop));
        },
      },
    },
  },
);
