/**
 * A text cut in three at a delimiter, as three columns.
 *
 * @module
 */

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

/**
 * The text before the last `delimiter`, the delimiter, and the text after it, as three columns:
 * `p = name.rpartition("-")` gives the columns `p_before`, `p_delimiter` and `p_after`. Where the
 * delimiter does not occur, the whole text comes after it, as in Python; the
 * other two are empty. An empty literal delimiter is an error; where the delimiter of a row is empty
 * all three are null.
 *
 * It can only be a whole column of `withColumns`.
 */
export const rpartition: StringOp<[delimiter: TextArg]> = defineStringOp({
  name: "rpartition",
  args: { delimiter: "string" },
  optional: [],
  group: "split",
  summary: "The text before the last delimiter, the delimiter, and the text after it",
  details: 'Three columns: p = name.rpartition("-") gives p_before, p_delimiter and p_after. ' +
    "It can only be a whole column of with.",
  examples: [
    { input: "usr/lib/deno", args: ["/"], result: ["usr/lib", "/", "deno"] },
    { input: "deno", args: ["/"], result: ["", "", "deno"] },
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
        const at = text.rfind(delimiter);
        return text.sub(0, at < 0 ? 0 : at);
      },
    },
    delimiter: {
      kind: "view",
      args: { delimiter: "string" },
      row(text: View, delimiter: View): View | null {
        if (delimiter.size === 0) return null;
        const at = text.rfind(delimiter);
        return text.sub(at, at < 0 ? 0 : at + delimiter.size);
      },
    },
    after: {
      kind: "view",
      args: { delimiter: "string" },
      row(text: View, delimiter: View): View | null {
        if (delimiter.size === 0) return null;
        const at = text.rfind(delimiter);
        return text.sub(at < 0 ? 0 : at + delimiter.size, text.size);
      },
    },
  },
});
