import { defineHelper } from "../../gpu/kernel/language/define_helper.ts";
import type { Helper } from "../../gpu/kernel/language/helper.ts";
import type { i32 } from "../../gpu/kernel/language/row_function.ts";

/**
 * Whether a character belongs to the blocks of Unicode for Chinese, Japanese and Korean, where
 * words are not apart by blanks, or are short ones of syllables.
 */
export const isEastAsian: Helper<(char: i32) => boolean> = defineHelper({
  args: { char: "i32" },
  returns: "bool",
  row: (char: i32) =>
    char >= 0x1100 &&
    (char <= 0x11ff || (char >= 0x2e80 && char <= 0x9fff) || (char >= 0xa960 && char <= 0xa97f) ||
      (char >= 0xac00 && char <= 0xd7ff) || (char >= 0xf900 && char <= 0xfaff) ||
      (char >= 0xff66 && char <= 0xffdc) || char === 0x16fe3 ||
      (char >= 0x1aff0 && char <= 0x1b16f) ||
      (char >= 0x20000 && char <= 0x3ffff)),
});
