/**
 * Defines the operations that cut text at a delimiter into three columns: the text before it, the
 * delimiter, and the text after it.
 *
 * @module
 */

import {
  defineStringOp,
  type Overload,
  overload,
  type StringOp,
  type StringOpSpecBase,
  type TextArg,
} from "./define/define_string_op.ts";
import { problemOfDelimiter } from "./split.ts";

/** Cuts at the first delimiter; without one, the whole text is the part before it. */
export const partition: StringOp<[delimiter: TextArg]> = cutAt("first", {
  name: "partition",
  summary: "The text before the first delimiter, the delimiter, and the text after it",
  examples: [
    { input: "usr/lib/deno", args: ["/"], result: ["usr", "/", "lib/deno"] },
    { input: "deno", args: ["/"], result: ["deno", "", ""] },
  ],
});

/** Cuts at the last delimiter; without one, the whole text is the part after it. */
export const rpartition: StringOp<[delimiter: TextArg]> = cutAt("last", {
  name: "rpartition",
  summary: "The text before the last delimiter, the delimiter, and the text after it",
  examples: [
    { input: "usr/lib/deno", args: ["/"], result: ["usr/lib", "/", "deno"] },
    { input: "deno", args: ["/"], result: ["", "", "deno"] },
  ],
});

/** Defines an operation that cuts; null if the delimiter of a row is empty. */
function cutAt(place: "first" | "last", description: StringOpSpecBase): StringOp {
  const isLast = place === "last" ? 1 : 0;
  return defineStringOp({
    ...description,
    details: `Three columns: p = name.${description.name}("-") makes p_before, p_delimiter and ` +
      "p_after. The operation must be the whole expression of a column in with.",
    args: { delimiter: "string" },
    optional: [],
    group: "split",
    check: problemOfDelimiter,
    parts: ["before", "delimiter", "after"],
    choose: () => undefined,
    overloads: { before: part(isLast, 0), delimiter: part(isLast, 1), after: part(isLast, 2) },
  });
}

/** Creates the row function of one part: 0 before the delimiter, 1 the delimiter, 2 after it. */
function part(isLast: number, index: number): Overload {
  return overload({
    kind: "view",
    args: { delimiter: "string" },
    consts: { isLast, index },
    row(text, { delimiter, isLast, index }) {
      if (delimiter.size === 0) return null;
      const at = isLast === 1 ? text.rfind(delimiter) : text.find(delimiter, 0);
      // Where there is none, it is taken for an empty one at one end.
      const start = at >= 0 ? at : isLast === 1 ? 0 : text.size;
      const stop = at >= 0 ? at + delimiter.size : start;
      if (index === 0) return text.sub(0, start);
      if (index === 1) return text.sub(start, stop);
      return text.sub(stop, text.size);
    },
  });
}
