import { defineHelper } from "../../gpu/kernel/language/define_helper.ts";
import type { Helper } from "../../gpu/kernel/language/helper.ts";
import type { i32, Table } from "../../gpu/kernel/language/row_function.ts";
import { CASE } from "./kind_tables.ts";
import { rankIn } from "./rank_in.ts";

/**
 * The case of a character, for row functions: 0 has none, 1 is small, 2 capital, 3 title case, by
 * Unicode's Lowercase and Uppercase and the category Lt. What is not 0 is what Unicode calls Cased.
 */
export const caseOf: Helper<(char: i32) => i32> = defineHelper({
  args: { char: "i32" },
  returns: "i32",
  consts: { rank: rankIn(CASE.map((run) => run >> 3)), kinds: CASE.map((run) => run & 7) },
  row(char: i32, c: { rank(char: i32): i32; kinds: Table }): i32 {
    if (char < 0x80) {
      if (char >= 0x61 && char <= 0x7a) return 1;
      return char >= 0x41 && char <= 0x5a ? 2 : 0;
    }
    const kind = c.kinds.at(c.rank(char) - 1);
    // 4: capitals at even places, small letters at odd ones. 5: the other way round.
    return kind < 4 ? kind : ((char ^ kind) & 1) === 0 ? 2 : 1;
  },
});
