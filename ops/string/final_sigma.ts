import { defineHelper } from "../../gpu/kernel/language/define_helper.ts";
import type { Helper } from "../../gpu/kernel/language/helper.ts";
import type { i32, View } from "../../gpu/kernel/language/row_function.ts";
import { caseOf } from "./case_of.ts";
import { isCaseIgnorable } from "./character_kinds.ts";

/**
 * Whether the `Σ` at a position is the last letter of a word, so that it becomes `ς` and not `σ`:
 * the condition Final_Sigma of SpecialCasing. A letter with case stands before it and none after it,
 * over what case ignores. The characters between two `Σ` are looked at twice at most.
 */
export const isFinalSigma: Helper<(text: View, at: i32) => boolean> = defineHelper({
  args: { text: "string", at: "i32" },
  returns: "bool",
  consts: { caseOf, isCaseIgnorable },
  row(
    text: View,
    at: i32,
    c: { caseOf(char: i32): i32; isCaseIgnorable(char: i32): boolean },
  ): boolean {
    let before = text.prev(at);
    while (before > 0 && c.isCaseIgnorable(text.charAt(before))) before = text.prev(before);
    const first = text.charAt(before);
    if (at === 0 || c.isCaseIgnorable(first) || c.caseOf(first) === 0) return false;
    let after = text.next(at);
    while (after < text.size && c.isCaseIgnorable(text.charAt(after))) after = text.next(after);
    return after === text.size || c.caseOf(text.charAt(after)) === 0;
  },
});
