/**
 * Defines the operations that cut text at delimiters, or at runs of white space, into lists.
 *
 * @module
 */

import type { ExprNode } from "../syntax/node.ts";
import { isWhiteSpace } from "./character_kinds.ts";
import {
  type CallArgs,
  defineStringOp,
  type IntArg,
  overload,
  type StringOp,
  type TextArg,
} from "./define/define_string_op.ts";

type CutArgs = [delimiter?: TextArg | null, limit?: IntArg | null];

/** Returns the problem with a delimiter; an empty delimiter of a row makes that row null. */
export function problemOfDelimiter({ delimiter }: CallArgs): string | undefined {
  return delimiter === "" ? "the delimiter is empty" : undefined;
}

/** The part of the definitions that both directions share. */
const CUTTING = {
  args: { delimiter: "string", limit: "i32" },
  optional: ["delimiter", "limit"],
  group: "split",
  check: problemOfDelimiter,
  choose: ({ delimiter }: CallArgs) => delimiter === undefined ? "space" : "delimiter",
} as const;

/**
 * Splits text at delimiters, or at runs of white space, by Python's rules: only parts between
 * delimiters may be empty. A limit is the greatest number of cuts, counted from the left; without
 * one, or with a negative one, all cuts are made. Null where the delimiter of a row is empty; an
 * empty literal is an error.
 */
export const split: StringOp<CutArgs> = defineStringOp({
  ...CUTTING,
  name: "split",
  summary: "The parts between delimiters, or between runs of white space, as a list",
  examples: [
    { input: "a,b,,c", args: [","], result: ["a", "b", "", "c"] },
    { input: "a,b,c", args: [",", 1], result: ["a", "b,c"] },
    { input: "  Grace  Hopper ", result: ["Grace", "Hopper"] },
  ],
  overloads: {
    delimiter: overload({
      kind: "list",
      args: { delimiter: "string", limit: "i32" },
      defaults: { limit: -1 },
      row(out, text, { delimiter, limit }) {
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
    }),
    space: overload({
      kind: "list",
      args: { limit: "i32" },
      defaults: { limit: -1 },
      consts: { isWhiteSpace },
      row(out, text, { limit, isWhiteSpace }) {
        let left = limit;
        // Where the open part starts; -1 between two parts.
        let start = -1;
        for (let at = 0; at < text.size; at = text.next(at)) {
          if (!isWhiteSpace(text.charAt(at))) {
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
    }),
  },
});

/** Splits like `split`, but from the right: with a limit, the rest is the first part. */
export const rsplit: StringOp<CutArgs> = defineStringOp({
  ...CUTTING,
  name: "rsplit",
  summary: "The parts between delimiters, or between runs of white space, cut from the right",
  examples: [
    { input: "a,b,c", args: [",", 1], result: ["a,b", "c"] },
    { input: "aaa", args: ["aa"], result: ["a", ""] },
    { input: " Ada  King Lovelace ", args: [null, 1], result: [" Ada  King", "Lovelace"] },
  ],
  overloads: {
    delimiter: overload({
      kind: "list",
      backward: true,
      args: { delimiter: "string", limit: "i32" },
      defaults: { limit: -1 },
      row(out, text, { delimiter, limit }) {
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
    }),
    space: overload({
      kind: "list",
      backward: true,
      args: { limit: "i32" },
      defaults: { limit: -1 },
      consts: { isWhiteSpace },
      row(out, text, { limit, isWhiteSpace }) {
        let left = limit;
        // Where the open part stops; -1 between two parts.
        let stop = -1;
        let at = text.size;
        while (at > 0) {
          const before = text.prev(at);
          if (!isWhiteSpace(text.charAt(before))) {
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
    }),
  },
});

/** A call of `split` with a literal delimiter, or with none. */
export interface SplitCall {
  /** The text to split. */
  readonly text: ExprNode;
  /** Absent for white space. */
  readonly delimiter?: ExprNode;
  /** Absent for all parts. */
  readonly limit?: ExprNode;
}

/** Returns a node as a call of `split` with a literal delimiter or none; undefined for other nodes. */
export function knownSplit(node: ExprNode): SplitCall | undefined {
  if (node.node !== "call" || node.op !== split) return undefined;
  const [delimiter, limit] = node.args;
  if (delimiter !== undefined && delimiter.node !== "literal") return undefined;
  return {
    text: node.text,
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(limit === undefined ? {} : { limit }),
  };
}
