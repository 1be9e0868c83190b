import type { i32, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type IntArg, type StringOp, type TextArg } from "./define_string_op.ts";

/**
 * Part `index` of the text cut at every `delimiter`, counted from 0; a negative index counts from
 * the end. Null where there are fewer parts, and where the delimiter of a row is empty; an empty
 * literal delimiter is an error.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("name").splitPart(" ", 1));
 * if (text !== 'name.splitPart(" ", 1)') throw new Error(text);
 * ```
 */
export const splitPart: StringOp<[delimiter: TextArg, index: IntArg]> = defineStringOp({
  name: "splitPart",
  kind: "view",
  args: { delimiter: "string", index: "i32" },
  group: "split",
  summary: "A part of the text cut at every delimiter; a negative index counts from the end",
  details:
    "Null where there are fewer parts, and where the delimiter of a row is empty; an empty literal " +
    "delimiter is an error.",
  differs: [
    "DuckDB: split_part() counts from 1, and gives an empty text where there are fewer parts",
    "Python: an index out of range is an error",
  ],
  examples: [
    { input: "2001-03-14", args: ["-", 1], result: "03" },
    { input: "2001-03-14", args: ["-", -1], result: "14" },
    { input: "2001-03-14", args: ["-", 3], result: null },
  ],
  check: ({ delimiter }) => delimiter === "" ? "the delimiter is empty" : undefined,
  row(text: View, delimiter: View, index: i32): View | null {
    if (delimiter.size === 0) return null;
    let count = 0;
    if (index < 0) {
      count = 1;
      let at = text.find(delimiter, 0);
      while (at >= 0) {
        count++;
        at = text.find(delimiter, at + delimiter.size);
      }
    }
    const part = index < 0 ? count + index : index;
    if (part < 0) return null;
    let start = 0;
    for (let i = 0; i < part; i++) {
      const at = text.find(delimiter, start);
      if (at < 0) return null;
      start = at + delimiter.size;
    }
    const stop = text.find(delimiter, start);
    return text.sub(start, stop < 0 ? text.size : stop);
  },
});
