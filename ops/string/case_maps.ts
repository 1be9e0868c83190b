/**
 * Case mappings of characters, for row functions. Each gives the character that another becomes;
 * where it becomes several, the complement (`~`) of the place where they stand in `SPECIALS`, three
 * numbers of which the last may be 0.
 *
 * @module
 */

import { defineHelper } from "../../gpu/kernel/language/define_helper.ts";
import type { Helper } from "../../gpu/kernel/language/helper.ts";
import type { i32, Table } from "../../gpu/kernel/language/row_function.ts";
import { LOWER, TITLE, UPPER } from "./case_tables.ts";
import { findRun } from "./find_run.ts";

/** A mapping of characters. */
export type CaseMap = Helper<(char: i32) => i32>;

/** What a character becomes in capitals. */
export const toUpper: CaseMap = defineHelper({
  args: { char: "i32" },
  returns: "i32",
  consts: { mapped: mapOf(UPPER) },
  row(char: i32, c: { mapped(char: i32): i32 }): i32 {
    if (char < 0x80) return char >= 0x61 && char <= 0x7a ? char - 0x20 : char;
    return c.mapped(char);
  },
});

/** What a character becomes in small letters, wherever it stands. */
export const toLower: CaseMap = defineHelper({
  args: { char: "i32" },
  returns: "i32",
  consts: { mapped: mapOf(LOWER) },
  row(char: i32, c: { mapped(char: i32): i32 }): i32 {
    if (char < 0x80) return char >= 0x41 && char <= 0x5a ? char + 0x20 : char;
    return c.mapped(char);
  },
});

/** What a character becomes at the start of a word in title case. */
export const toTitle: CaseMap = defineHelper({
  args: { char: "i32" },
  returns: "i32",
  consts: { runs: TITLE, findRun: findRun(TITLE), toUpper },
  row(char: i32, c: { runs: Table; findRun(char: i32): i32; toUpper(char: i32): i32 }): i32 {
    if (char < 0x80) return c.toUpper(char);
    const run = c.findRun(char);
    const delta = c.runs.at(run + 3);
    // After the last run the table reads as zeros, which is no step and not this character. Runs of
    // the differences from capitals have no gaps.
    if (char < c.runs.at(run) || run === c.runs.size) return c.toUpper(char);
    return c.runs.at(run + 2) === 0 ? ~delta : char + delta;
  },
});

/** What the runs make of a character above ASCII. */
function mapOf(runs: Int32Array): CaseMap {
  return defineHelper({
    args: { char: "i32" },
    returns: "i32",
    consts: { runs, findRun: findRun(runs) },
    row(char: i32, c: { runs: Table; findRun(char: i32): i32 }): i32 {
      const run = c.findRun(char);
      // A run: first, last, step, delta. After the last one the table reads as zeros.
      const offset = char - c.runs.at(run);
      const step = c.runs.at(run + 2);
      if (offset === 0 && step === 0) return ~c.runs.at(run + 3);
      // A step is 1 or 2; with 0 the mask is all bits, which only the offset 0 passes.
      return offset >= 0 && (offset & (step - 1)) === 0 ? char + c.runs.at(run + 3) : char;
    },
  });
}
