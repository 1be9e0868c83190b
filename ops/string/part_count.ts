import type { i32, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp, type TextArg } from "./define_string_op.ts";
import { isWhiteSpace } from "./white_space.ts";

/**
 * The length of the list that `split` would make. Not called by name: `split(...).length()` becomes
 * it.
 */
export const partCount: StringOp<[delimiter?: TextArg]> = defineStringOp({
  name: "partCount",
  args: { delimiter: "string" },
  optional: ["delimiter"],
  choose: ({ delimiter }) => delimiter === undefined ? "space" : "delimiter",
  overloads: {
    delimiter: {
      kind: "measure",
      args: { delimiter: "string" },
      row(text: View, delimiter: View): i32 {
        let count = 1;
        let at = text.find(delimiter, 0);
        while (at >= 0) {
          count++;
          at = text.find(delimiter, at + delimiter.size);
        }
        return count;
      },
    },
    space: {
      kind: "measure",
      consts: { isWhiteSpace },
      row(text: View, c: { isWhiteSpace: typeof isWhiteSpace }): i32 {
        let count = 0;
        let isOpen = false;
        for (let at = 0; at < text.size; at = text.next(at)) {
          const isPart = !c.isWhiteSpace(text.charAt(at));
          if (isPart && !isOpen) count++;
          isOpen = isPart;
        }
        return count;
      },
    },
  },
});
