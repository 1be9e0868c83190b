import { defineHelper } from "../../gpu/kernel/language/define_helper.ts";
import type { Helper } from "../../gpu/kernel/language/helper.ts";
import type { i32, Table } from "../../gpu/kernel/language/row_function.ts";

/**
 * A helper that finds where in a table of characters, sorted and without doubles, a character
 * stands; -1 where it does not. ASCII characters are looked up, the others are searched for.
 */
export function findKey(keys: Int32Array): Helper<(char: i32) => i32> {
  const ascii = Int32Array.from({ length: 128 }, (_, char) => keys.indexOf(char));
  return defineHelper({
    args: { char: "i32" },
    returns: "i32",
    consts: { ascii, keys },
    row(char: i32, c: { ascii: Table; keys: Table }) {
      if (char < 0x80) return c.ascii.at(char);
      let low = 0;
      let high = c.keys.size;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (c.keys.at(middle) < char) low = middle + 1;
        else high = middle;
      }
      return c.keys.at(low) === char ? low : -1;
    },
  });
}
