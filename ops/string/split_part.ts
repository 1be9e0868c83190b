/**
 * Defines the operations that return one part of a text, or the number of parts, without making a list.
 *
 * @module
 */

import { isWhiteSpace } from "./character_kinds.ts";
import {
  defineStringOp,
  type IntArg,
  overload,
  type StringOp,
  type TextArg,
} from "./define/define_string_op.ts";
import { countOf } from "./find.ts";
import { problemOfDelimiter } from "./split.ts";

/**
 * Returns part `index` of the text, cut at every delimiter. Parts count from 0, or from the end where
 * the index is negative.
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
    "DuckDB: split_part() counts from 1, and returns an empty text where there are fewer parts",
    "Python: an index out of range is an error",
  ],
  examples: [
    { input: "2001-03-14", args: ["-", 1], result: "03" },
    { input: "2001-03-14", args: ["-", -1], result: "14" },
    { input: "2001-03-14", args: ["-", 3], result: null },
  ],
  check: problemOfDelimiter,
  consts: { countOf },
  row(text, { delimiter, index, countOf }) {
    if (delimiter.size === 0) return null;
    // Those of one byte do not overlap: they are the same from the right.
    if (index < 0 && delimiter.size === 1) {
      let stop = text.size;
      for (let i = -1; i > index; i--) {
        stop = text.sub(0, stop).rfind(delimiter);
        if (stop < 0) return null;
      }
      return text.sub(text.sub(0, stop).rfind(delimiter) + 1, stop);
    }
    const part = index < 0 ? countOf(text, delimiter) + 1 + index : index;
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

/**
 * Returns an item of the list that `split()` would make, at an index that counts from the end where
 * it is negative; null without one. It has no public name: `split().get(index)` is rewritten to it.
 */
export const word: StringOp<[index: IntArg]> = defineStringOp({
  name: "word",
  kind: "view",
  args: { index: "i32" },
  consts: { isWhiteSpace },
  row(text, { index, isWhiteSpace }) {
    if (index < 0) {
      let stop = text.size;
      while (stop > 0) {
        const before = text.prev(stop);
        if (!isWhiteSpace(text.charAt(before))) break;
        stop = before;
      }
      for (let i = -1; i > index; i--) {
        if (stop === 0) return null;
        while (stop > 0) {
          const before = text.prev(stop);
          if (isWhiteSpace(text.charAt(before))) break;
          stop = before;
        }
        while (stop > 0) {
          const before = text.prev(stop);
          if (!isWhiteSpace(text.charAt(before))) break;
          stop = before;
        }
      }
      if (stop === 0) return null;
      let start = stop;
      while (start > 0) {
        const before = text.prev(start);
        if (isWhiteSpace(text.charAt(before))) break;
        start = before;
      }
      return text.sub(start, stop);
    }
    let start = 0;
    while (start < text.size && isWhiteSpace(text.charAt(start))) start = text.next(start);
    for (let i = 0; i < index; i++) {
      if (start === text.size) return null;
      while (start < text.size && !isWhiteSpace(text.charAt(start))) start = text.next(start);
      while (start < text.size && isWhiteSpace(text.charAt(start))) start = text.next(start);
    }
    if (start === text.size) return null;
    let stop = start;
    while (stop < text.size && !isWhiteSpace(text.charAt(stop))) stop = text.next(stop);
    return text.sub(start, stop);
  },
});

/**
 * Returns the length of the list that `split` would make. It has no public name:
 * `split(...).length()` is rewritten to it.
 */
export const partCount: StringOp<[delimiter?: TextArg]> = defineStringOp({
  name: "partCount",
  args: { delimiter: "string" },
  optional: ["delimiter"],
  choose: ({ delimiter }) => delimiter === undefined ? "space" : "delimiter",
  overloads: {
    delimiter: overload({
      kind: "measure",
      args: { delimiter: "string" },
      consts: { countOf },
      row: (text, { delimiter, countOf }) => countOf(text, delimiter) + 1,
    }),
    space: overload({
      kind: "measure",
      consts: { isWhiteSpace },
      row(text, { isWhiteSpace }) {
        let count = 0;
        let isOpen = false;
        for (let at = 0; at < text.size; at = text.next(at)) {
          const isPart = !isWhiteSpace(text.charAt(at));
          if (isPart && !isOpen) count++;
          isOpen = isPart;
        }
        return count;
      },
    }),
  },
});
