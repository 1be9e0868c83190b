import { defineHelper } from "../../gpu/kernel/define_helper.ts";
import type { Helper } from "../../gpu/kernel/helper.ts";
import type { i32, Table } from "../../gpu/kernel/row_function.ts";

/**
 * A helper that finds where in a table of runs the first run stands that ends at a character or
 * after it; the size of the table where there is none. A run is four numbers that begin with its
 * first and its last character; runs are sorted.
 */
export function findRun(runs: Int32Array): Helper<(char: i32) => i32> {
  return defineHelper({
    args: { char: "i32" },
    returns: "i32",
    consts: { runs },
    row(char: i32, c: { runs: Table }) {
      let low = 0;
      let high = c.runs.size >> 2;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (c.runs.at(middle * 4 + 1) < char) low = middle + 1;
        else high = middle;
      }
      return low * 4;
    },
  });
}
