import type { i32, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type IntArg, type StringOp, type TextArg } from "./define_string_op.ts";

/**
 * The position, in characters, where `target` first starts at or after `start`; -1 where it does
 * not. A negative `start` counts from the end, as in Python. The empty text is found at `start`, if
 * that is not behind the end.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("name").find(" "));
 * if (text !== 'name.find(" ")') throw new Error(text);
 * ```
 */
export const find: StringOp<[target: TextArg, start?: IntArg | null]> = defineStringOp({
  name: "find",
  args: { target: "string", start: "i32" },
  optional: ["start"],
  group: "find",
  summary: "The position, in characters, where the target first starts; -1 where it does not",
  details:
    "A search may start at a position, by Python's rules for negative ones. The empty text is " +
    "found at the start, if that is not behind the end.",
  differs: [
    "DuckDB: strpos() and instr() count from 1, and give 0 where there is none",
    "JavaScript: indexOf() counts UTF-16 units",
  ],
  examples: [
    { input: "é-mail", args: ["mail"], result: 2 },
    { input: "banana", args: ["an", 2], result: 3 },
    { input: "banana", args: ["x"], result: -1 },
  ],
  choose: ({ start }) => start === undefined ? "first" : "from",
  overloads: {
    first: {
      kind: "measure",
      args: { target: "string" },
      row(text: View, target: View): i32 {
        const at = text.find(target, 0);
        return at < 0 ? -1 : text.sub(0, at).length;
      },
    },
    from: {
      kind: "measure",
      args: { target: "string", start: "i32" },
      row(text: View, target: View, start: i32): i32 {
        const from = text.advance(start < 0 ? text.size : 0, start);
        // A start behind the end is moved to it, where nothing but the empty text could be found.
        if (target.size === 0 && from === text.size && start > text.length) return -1;
        const at = text.find(target, from);
        return at < 0 ? -1 : text.sub(0, at).length;
      },
    },
  },
});
