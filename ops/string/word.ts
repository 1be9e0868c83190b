import type { i32, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type IntArg, type StringOp } from "./define_string_op.ts";
import { isWhiteSpace } from "./white_space.ts";

/**
 * The item of the list that `split()` would make, at an index that counts from the end where it is
 * negative; null where there is none. Not called by name: `split().get(index)` becomes it.
 */
export const word: StringOp<[index: IntArg]> = defineStringOp({
  name: "word",
  kind: "view",
  args: { index: "i32" },
  consts: { isWhiteSpace },
  row(text: View, index: i32, c: { isWhiteSpace: typeof isWhiteSpace }): View | null {
    // Parts that are still to be passed, from the side from which the index counts.
    let left = index < 0 ? -1 - index : index;
    let edge = -1;
    if (index < 0) {
      let at = text.size;
      while (at > 0) {
        const before = text.prev(at);
        if (!c.isWhiteSpace(text.charAt(before))) {
          if (edge < 0) edge = at;
        } else if (edge >= 0) {
          if (left === 0) return text.sub(at, edge);
          left--;
          edge = -1;
        }
        at = before;
      }
      if (edge < 0 || left !== 0) return null;
      return text.sub(0, edge);
    }
    for (let at = 0; at < text.size; at = text.next(at)) {
      if (!c.isWhiteSpace(text.charAt(at))) {
        if (edge < 0) edge = at;
      } else if (edge >= 0) {
        if (left === 0) return text.sub(edge, at);
        left--;
        edge = -1;
      }
    }
    if (edge < 0 || left !== 0) return null;
    return text.sub(edge, text.size);
  },
});
