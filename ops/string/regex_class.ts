import { defineHelper } from "../../gpu/kernel/language/define_helper.ts";
import type { Helper } from "../../gpu/kernel/language/helper.ts";
import type { i32, Table } from "../../gpu/kernel/language/row_function.ts";
import type { CharClasses } from "../regex/regex_program.ts";

/** The class of a character in the tables of a pattern. */
export type ClassOf = Helper<(char: i32) => i32>;

/** The helper that finds classes: a table for ASCII, a search among runs for what is beyond. */
export function classHelper({ ascii, ranges }: CharClasses): ClassOf {
  return defineHelper({
    args: { char: "i32" },
    returns: "i32",
    consts: { ascii, ranges },
    row(char: i32, c: { ascii: Table; ranges: Table }): i32 {
      if (char < 0x80) return c.ascii.at(char & 0x7f);
      let low = 0;
      let high = c.ranges.size >> 1;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (c.ranges.at(2 * middle) <= char) low = middle;
        else high = middle;
      }
      return c.ranges.at(2 * low + 1);
    },
  });
}
