/**
 * Defines the operations on the items of a list. For the list that `split` would make, `get` and
 * `join` become operations on the text, and no list is made.
 *
 * @module
 */

import { argumentNode, callNode } from "../syntax/call_node.ts";
import {
  defineStringOp,
  type IntArg,
  overload,
  type StringOp,
  type TextArg,
} from "./define/define_string_op.ts";
import { replace } from "./replace.ts";
import { knownSplit } from "./split.ts";
import { splitPart, word } from "./split_part.ts";

/**
 * Returns the character, or the item of a list, at an index; a negative one counts from the end.
 * Beyond the end the result is the empty text, as in libcudf and Polars; for a list it is null.
 */
export const get: StringOp<[index: IntArg]> = defineStringOp({
  name: "get",
  group: "slice",
  args: { index: "i32" },
  optional: [],
  summary: "The character, or the item of a list, at an index; a negative one counts from the end",
  details: "Where the index is out of range, the result is the empty text, for a list null.",
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
  choose: (_, on) => on === "list" ? "item" : "character",
  overloads: {
    character: overload({
      kind: "view",
      args: { index: "i32" },
      row(text, { index }) {
        if (index < 0) {
          const stop = text.advance(text.size, index + 1);
          return text.sub(text.prev(stop), stop);
        }
        const start = text.advance(0, index);
        return text.sub(start, text.next(start));
      },
      written: {
        when: ({ index }) => typeof index === "number" && index >= 0,
        state: { position: 0 },
        row(out, char, { index, state }) {
          if (state.position === index) {
            out.put(char);
            out.end();
          }
          state.position++;
        },
      },
    }),
    item: overload({
      kind: "view",
      subject: "list",
      args: { index: "i32" },
      row(list, { index }) {
        const at = index < 0 ? list.size + index : index;
        if (list.isNull(at)) return null;
        return list.at(at);
      },
    }),
  },
});

/**
 * Joins the items of a list with a separator between them. Null items are left out, unless `nulls`
 * is the text that stands for them.
 */
export const join: StringOp<
  [separator: TextArg, nulls?: TextArg | null | { readonly nulls?: TextArg | null }]
> = defineStringOp({
  name: "join",
  group: "combine",
  args: { separator: "string", nulls: "string" },
  optional: ["nulls"],
  summary: "The items of a list, with a separator between them",
  details: "Null items are left out, unless nulls is the text that stands for them.",
  differs: ["DuckDB: array_to_string() of a list of nulls is null"],
  examples: [
    { input: ["a", "b", "c"], args: [", "], result: "a, b, c" },
    { input: ["a", null, "c"], args: ["-"], result: "a-c" },
    { input: ["a", null, "c"], args: ["-", "?"], result: "a-?-c" },
  ],
  expand(text, { separator, nulls }) {
    const cut = knownSplit(text);
    const between = argumentNode(separator);
    if (cut?.delimiter === undefined || between === undefined) return undefined;
    // No part is null, but a null in the column `nulls` makes the result null.
    if (nulls !== undefined && typeof nulls !== "string") return undefined;
    const limit = cut.limit === undefined ? [] : [cut.limit];
    return callNode(replace, cut.text, [cut.delimiter, between, ...limit]);
  },
  choose: ({ nulls }) => nulls === undefined ? "skip" : "replace",
  overloads: {
    skip: overload({
      kind: "emit",
      subject: "list",
      args: { separator: "string" },
      row(out, list, { separator }) {
        let isFirst = true;
        for (let i = 0; i < list.size; i++) {
          if (list.isNull(i)) continue;
          if (!isFirst) out.copy(separator);
          out.copy(list.at(i));
          isFirst = false;
        }
      },
    }),
    replace: overload({
      kind: "emit",
      subject: "list",
      args: { separator: "string", nulls: "string" },
      row(out, list, { separator, nulls }) {
        for (let i = 0; i < list.size; i++) {
          if (i > 0) out.copy(separator);
          if (list.isNull(i)) out.copy(nulls);
          else out.copy(list.at(i));
        }
      },
    }),
  },
});
