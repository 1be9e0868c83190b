import type { i32, Sink, TextList, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type IntArg, type Overload, type StringOp } from "./define_string_op.ts";
import { callNode } from "../expr/call_node.ts";
import { argumentNode, knownSplit } from "./plain_split.ts";
import { splitPart } from "./split_part.ts";
import { word } from "./word.ts";

const character: Overload = {
  kind: "view",
  args: { index: "i32" },
  row(text: View, index: i32): View {
    if (index < 0) {
      const stop = text.advance(text.size, index + 1);
      return text.sub(text.prev(stop), stop);
    }
    const start = text.advance(0, index);
    return text.sub(start, text.next(start));
  },
};

/**
 * The character at `index`, counted from 0, or from the end where it is negative. Where there is
 * none it gives the empty text, as libcudf and Polars do.
 *
 * Of a list of strings it gives the item at `index`, and null where there is none. After `split` of
 * a literal delimiter, or of white space, no list is made.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { col, fromBatches, toTable, withColumns } from "../../mod.ts";
 *
 * const paths = fromBatches(tableFromArrays({ path: ["usr/lib/deno"] }));
 * const file = col("path").split("/").get(-1);
 * const table = await toTable(paths.pipeThrough(withColumns({ file, first: file.get(0) })));
 * assertEquals([table.get(0)?.file, table.get(0)?.first], ["deno", "d"]);
 * ```
 */
export const get: StringOp<[index: IntArg]> = defineStringOp({
  name: "get",
  group: "slice",
  args: { index: "i32" },
  optional: [],
  summary: "The character, or the item of a list, at an index; a negative one counts from the end",
  details: "Where there is none: of text the empty text, of a list null.",
  differs: ["Python: an index out of range is an error"],
  examples: [
    { input: "naïve", args: [2], result: "ï" },
    { input: "naïve", args: [-1], result: "e" },
    { input: "naïve", args: [5], result: "" },
    { input: ["usr", "lib", "deno"], args: [-1], result: "deno" },
    { input: ["usr", "lib", "deno"], args: [3], result: null },
  ],
  expand(text, { index }) {
    const cut = knownSplit(text);
    const at = argumentNode(index);
    if (cut === undefined || cut.limit !== undefined || at === undefined) return undefined;
    if (cut.delimiter === undefined) return callNode(word, cut.text, [at]);
    return callNode(splitPart, cut.text, [cut.delimiter, at]);
  },
  choose({ index }, on) {
    if (on === "list") return "item";
    // Counted from the front, it can be found in text while that is being written.
    return typeof index === "number" && index >= 0 ? "countedCharacter" : "character";
  },
  overloads: {
    character,
    countedCharacter: {
      ...character,
      written: {
        state: { position: 0 },
        row(out: Sink, char: i32, index: i32, s: { position: i32 }) {
          if (s.position === index) {
            out.put(char);
            out.end();
          }
          s.position++;
        },
      },
    },
    item: {
      kind: "view",
      subject: "list",
      args: { index: "i32" },
      row(list: TextList, index: i32): View | null {
        const at = index < 0 ? list.size + index : index;
        if (list.isNull(at)) return null;
        return list.at(at);
      },
    },
  },
});
