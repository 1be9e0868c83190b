/**
 * Defines searches for text. The empty text occurs before every character and at the end.
 *
 * @module
 */

import { defineHelper } from "../../gpu/kernel/fold/define_helper.ts";
import type { Value } from "../syntax/expr_base.ts";
import {
  defineStringOp,
  type IntArg,
  overload,
  type StringOp,
  type TextArg,
} from "./define/define_string_op.ts";

/** Counts the occurrences of nonempty text in another text, without overlaps. */
export const countOf = defineHelper({
  args: ["string", "string"],
  returns: "i32",
  row(text, target) {
    let count = 0;
    let at = text.find(target, 0);
    while (at >= 0) {
      count++;
      at = text.find(target, at + target.size);
    }
    return count;
  },
});

/** Tests whether the target occurs in the text. */
export const contains: StringOp<[target: Value]> = defineStringOp({
  name: "contains",
  args: { target: "string" },
  accepts: { target: "value" },
  optional: [],
  group: "find",
  summary: "Whether the target occurs in the text, or is an item of a list",
  details:
    "The empty target occurs in every text. In a list of other items than text it is a literal of " +
    "their type. Null items are skipped.",
  examples: [
    { input: "banana", args: ["nan"], result: true },
    { input: "banana", args: ["Nan"], result: false },
    { input: ["nan", null], args: ["nan"], result: true },
    { input: ["banana"], args: ["nan"], result: false },
  ],
  choose: (_, on) => on === "list" ? "item" : "text",
  overloads: {
    text: overload({
      kind: "measure",
      returns: "bool",
      args: { target: "string" },
      row: (text, { target }) => text.find(target, 0) >= 0,
    }),
    item: overload({
      kind: "measure",
      subject: "list",
      returns: "bool",
      args: { target: "string" },
      row(list, { target }) {
        for (let i = 0; i < list.size; i++) {
          if (!list.isNull(i) && list.at(i).equals(target)) return true;
        }
        return false;
      },
    }),
  },
}) as StringOp<[target: Value]>;

/** Counts the occurrences of the target, from left to right and without overlaps. */
export const count: StringOp<[target: TextArg]> = defineStringOp({
  name: "count",
  kind: "measure",
  args: { target: "string" },
  group: "find",
  summary: "The number of times the target occurs, without overlaps",
  details: "The empty text occurs before every character and at the end.",
  examples: [
    { input: "banana", args: ["an"], result: 2 },
    { input: "aaaa", args: ["aa"], result: 2 },
    { input: "né", args: [""], result: 3 },
  ],
  consts: { countOf },
  row(text, { target, countOf }) {
    return target.size === 0 ? text.length + 1 : countOf(text, target);
  },
});

/** Returns the position, in characters, where the target first starts at or after `start`; -1 without one. */
export const find: StringOp<[target: TextArg, start?: IntArg | null]> = defineStringOp({
  name: "find",
  args: { target: "string", start: "i32" },
  optional: ["start"],
  group: "find",
  summary: "The position, in characters, where the target first starts; -1 where it does not",
  details:
    "A search may start at a position; negative ones count as in Python. The empty text is " +
    "found at the start, unless that lies beyond the end.",
  differs: [
    "DuckDB: strpos() and instr() count from 1, and return 0 where there is none",
    "JavaScript: indexOf() counts UTF-16 units",
  ],
  examples: [
    { input: "é-mail", args: ["mail"], result: 2 },
    { input: "banana", args: ["an", 2], result: 3 },
    { input: "banana", args: ["x"], result: -1 },
  ],
  choose: ({ start }) => start === undefined ? "first" : "from",
  overloads: {
    first: overload({
      kind: "measure",
      args: { target: "string" },
      row(text, { target }) {
        const at = text.find(target, 0);
        return at < 0 ? -1 : text.sub(0, at).length;
      },
    }),
    from: overload({
      kind: "measure",
      args: { target: "string", start: "i32" },
      row(text, { target, start }) {
        const from = text.advance(start < 0 ? text.size : 0, start);
        // A start behind the end is moved to it, where nothing but the empty text could be found.
        if (target.size === 0 && from === text.size && start > text.length) return -1;
        const at = text.find(target, from);
        return at < 0 ? -1 : text.sub(0, at).length;
      },
    }),
  },
});

/** Returns the position, in characters, where the target last starts; -1 without one. */
export const rfind: StringOp<[target: TextArg]> = defineStringOp({
  name: "rfind",
  kind: "measure",
  args: { target: "string" },
  group: "find",
  summary: "The position, in characters, where the target last starts; -1 where it does not",
  details: "The empty text is found at the end.",
  examples: [
    { input: "é/a/b", args: ["/"], result: 3 },
    { input: "é/a/b", args: [":"], result: -1 },
    { input: "abc", args: [""], result: 3 },
  ],
  row(text, { target }) {
    const at = text.rfind(target);
    return at < 0 ? -1 : text.sub(0, at).length;
  },
});
