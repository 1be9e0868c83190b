import { defineHelper } from "../../gpu/kernel/language/define_helper.ts";
import type { Helper } from "../../gpu/kernel/language/helper.ts";
import type { i32 } from "../../gpu/kernel/language/row_function.ts";

/**
 * Whether a character is white space: what Unicode calls so, and the four separators U+001C to
 * U+001F, as in Python.
 */
export const isWhiteSpace: Helper<(char: i32) => boolean> = defineHelper({
  args: { char: "i32" },
  returns: "bool",
  row: (char: i32) =>
    // Letters fail the first test.
    (char <= 0x20 && (char === 0x20 || (char >= 0x09 && char <= 0x0d) || char >= 0x1c)) ||
    (char >= 0x85 &&
      (char === 0x85 || char === 0xa0 || char === 0x1680 ||
        (char >= 0x2000 && char <= 0x200a) || char === 0x2028 || char === 0x2029 ||
        char === 0x202f || char === 0x205f || char === 0x3000)),
});
