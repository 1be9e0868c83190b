import type { i32, ListSink, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp } from "./define_string_op.ts";

/**
 * Every run of `size` characters of the text, as a list of strings: the text that starts at each
 * character and is that long. A text that is shorter has none. It is libcudf's
 * `generate_character_ngrams`. The size is a literal of 1 or more.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { col, fromBatches, toTable, withColumns } from "../../mod.ts";
 *
 * const words = fromBatches(tableFromArrays({ word: ["stream"] }));
 * const table = await toTable(words.pipeThrough(withColumns({ grams: col("word").ngrams(4) })));
 * assertEquals([...table.get(0)?.grams], ["stre", "trea", "ream"]);
 * ```
 */
export const ngrams: StringOp<[size: number]> = defineStringOp({
  name: "ngrams",
  kind: "list",
  args: { size: "i32" },
  group: "text size",
  summary: "Every run of so many characters, as a list",
  examples: [
    { input: "naïve", args: [3], result: ["naï", "aïv", "ïve"] },
    { input: "ab", args: [3], result: [] },
  ],
  check({ size }) {
    if (typeof size === "object") return "the size must be a literal";
    return Number(size) < 1 ? "the size is less than 1" : undefined;
  },
  row(out: ListSink, text: View, size: i32) {
    // One character short of a gram, so that the end of the text ends the loop.
    let stop = text.advance(0, size - 1);
    for (let start = 0; stop < text.size; start = text.next(start)) {
      stop = text.next(stop);
      out.item(text.sub(start, stop));
    }
  },
});
