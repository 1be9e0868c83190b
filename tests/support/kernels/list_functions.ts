/** Row functions that make and read lists, and calls of them. */

import { parseRowFunction } from "../../../gpu/kernel/parse/parse_row_function.ts";
import type {
  i32,
  ListSink,
  NumberSink,
  RowFunctionSpec,
  TextList,
  View,
} from "../../../gpu/kernel/language/row_function.ts";
import type { ColumnType } from "../../../gpu/column/column.ts";
import type { Tree } from "../../../gpu/kernel/tree/tree.ts";
import { INT32, STRING } from "./trees.ts";

/** The type of lists of texts. */
export const LIST = { kind: "list", item: STRING } as const;

/** Each character once for each byte before it, with its number; null from an exclamation mark. */
export const spread = {
  name: "spread",
  kind: "list",
  row(out: ListSink, text: View) {
    for (let at = 0; at < text.size; at = text.next(at)) {
      const char = text.charAt(at);
      for (let i = 0; i <= at; i++) {
        out.put(char);
        out.copy(text.sub(0, at));
        out.endItem();
      }
      if (char === 0x21) return null;
    }
  },
} satisfies RowFunctionSpec;

/** The parts of a text before each a and b; null where it has a question mark. */
export const backward = {
  name: "backward",
  kind: "list",
  backward: true,
  row(out: ListSink, text: View) {
    let stop = text.size;
    for (let at = text.size; at > 0;) {
      at = text.prev(at);
      const char = text.charAt(at);
      if (char === 0x3f) return null;
      if (char === 0x61 || char === 0x62) {
        out.item(text.sub(at, stop));
        stop = at;
      }
    }
    out.item(text.sub(0, stop));
  },
} satisfies RowFunctionSpec;

/** The result of `backward`. */
export function backwardModel(text: string): string[] | null {
  return text.includes("?")
    ? null
    : text.split(/(?=[ab])/u).flatMap((part, i) =>
      i === 0 && /^[ab]/u.test(part) ? ["", part] : [part]
    );
}

/** The item before the one at an index, after it a mark; null where one of the two is. */
export const before = {
  name: "before",
  kind: "emit",
  subject: "list",
  args: { index: "i32" },
  row(out: ListSink, list: TextList, { index }: { index: i32 }) {
    if (list.isNull(index) || list.isNull(index - 1)) return null;
    out.copy(list.at(index - 1));
    out.put(0x1d11e);
  },
} satisfies RowFunctionSpec;

/** The result of `spread`. */
export function spreadModel(text: string): string[] | null {
  const parts: string[] = [];
  let bytes = 0;
  let done = "";
  for (const char of text) {
    for (let i = 0; i <= bytes; i++) parts.push(char + done);
    if (char === "!") return null;
    bytes += new TextEncoder().encode(char).length;
    done += char;
  }
  return parts;
}

const TYPES: Readonly<Record<string, ColumnType>> = {
  list: LIST,
  numbers: { kind: "list", item: { kind: "int", bits: 32, signed: true } },
  string: STRING,
};

/** A call of a row function. */
export function callOfSpec(spec: RowFunctionSpec, subject: Tree, ...args: Tree[]): Tree {
  const fn = parseRowFunction(spec);
  return { node: "call", fn, text: subject, args, type: TYPES[fn.returns] ?? INT32 };
}

/** Where a target starts in a text, each negated; null from an empty target or an exclamation mark. */
export const positions = {
  name: "positions",
  kind: "list",
  items: "i32",
  args: { target: "string" },
  row(out: NumberSink, text: View, { target }: { target: View }) {
    if (target.size === 0) return null;
    for (let at = text.find(target, 0); at >= 0; at = text.find(target, at + 1)) out.item(-at);
    if (text.has(0x21)) return null;
  },
} satisfies RowFunctionSpec;

/** The number of items. */
export const size = {
  name: "size",
  kind: "measure",
  subject: "list",
  row: (list: TextList) => list.size,
} satisfies RowFunctionSpec;

/** A number in which every position of a needle in the items counts. */
export const found = {
  name: "found",
  kind: "measure",
  subject: "list",
  args: { needle: "string" },
  row(list: TextList, { needle }: { needle: View }) {
    let sum = 0;
    for (let i = 0; i < list.size; i++) {
      sum = sum * 7 + list.at(i).find(needle, 0) + list.at(list.size - 1 - i).find(needle, 1);
    }
    return sum;
  },
} satisfies RowFunctionSpec;

/** The whole text, and all but its first character; no item where there is none. */
export const copyTwice = {
  name: "copyTwice",
  kind: "list",
  row(out: ListSink, text: View) {
    if (text.size === 0) return;
    out.item(text);
    out.item(text.sub(text.next(0), text.size));
  },
} satisfies RowFunctionSpec;
