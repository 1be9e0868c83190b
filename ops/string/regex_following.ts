import { defineHelper } from "../../gpu/kernel/language/define_helper.ts";
import type { Helper } from "../../gpu/kernel/language/helper.ts";
import type { i32, View } from "../../gpu/kernel/language/row_function.ts";

/**
 * Where the search after a match begins: where it stops, or, after an empty match, one character
 * further; behind the end where there is no such place.
 */
export const following: Helper<(text: View, start: i32, stop: i32) => i32> = defineHelper({
  args: { text: "string", start: "i32", stop: "i32" },
  returns: "i32",
  row(text: View, start: i32, stop: i32): i32 {
    if (start !== stop) return stop;
    return stop < text.size ? text.next(stop) : stop + 1;
  },
});
