import { defineHelper } from "../../gpu/kernel/language/define_helper.ts";
import type { Helper } from "../../gpu/kernel/language/helper.ts";
import type { i32 } from "../../gpu/kernel/language/row_function.ts";
import { rankIn } from "./rank_in.ts";

/**
 * A helper that finds where in a table of runs the first run stands that ends at a character or
 * after it; the size of the table where there is none. A run is four numbers that begin with its
 * first and its last character; runs are sorted.
 */
export function findRun(runs: Int32Array): Helper<(char: i32) => i32> {
  return defineHelper({
    args: { char: "i32" },
    returns: "i32",
    consts: { rank: rankIn(runs.filter((_, index) => index % 4 === 1)) },
    row: (char: i32, c: { rank(char: i32): i32 }) => c.rank(char - 1) * 4,
  });
}
