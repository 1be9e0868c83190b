import type { View } from "../../gpu/kernel/language/row_function.ts";
import { type CallArgs, defineStringOp, type StringOp } from "./define_string_op.ts";
import { type SearchProgram, searchProgram } from "../regex/regex_program.ts";
import { compiledOnce, PATTERNS, type RegexArg, regexOf, regexProblem } from "./regex_argument.ts";
import { groupNumber } from "./regex_groups.ts";
import { type RegexSearchConsts, regexSearchConsts } from "./regex_search.ts";

/**
 * What a group took in the first match of a pattern: a number, 0 for the whole match, or a name.
 * Absent it is group 1, or the whole match of a pattern without groups. Null where the pattern does
 * not match, and where the group took no part in the match.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("mail").extract(/@([^.]+)/));
 * if (text !== "mail.extract(/@([^.]+)/)") throw new Error(text);
 * ```
 */
export const extract: StringOp<
  [pattern: RegexArg, group?: number | string | null, flags?: string | null]
> = defineStringOp({
  name: "extract",
  kind: "view",
  args: { pattern: "literal", group: "literal", flags: "literal" },
  defaults: { group: -1, flags: "" },
  group: "regex",
  accepts: { pattern: "regex", group: "integer", flags: "string" },
  summary: "What a group took in the first match of a pattern; null without",
  details: "A group is a number, 0 for the whole match, or a name; absent it is group 1, or the " +
    `whole match of a pattern without groups. ${PATTERNS}`,
  differs: ["libcudf: extract() gives a column for each group"],
  examples: [
    { input: "ann@example.org", args: ["@([^.]+)"], result: "example" },
    { input: "2001-03-14", args: ["(\\d+)-(\\d+)", 2], result: "03" },
    { input: "2001-03-14", args: ["(?<year>\\d+)-", "year"], result: "2001" },
    { input: "none", args: ["\\d+"], result: null },
  ],
  check: (args) => regexProblem(() => programOf(args)),
  consts: (args) => regexSearchConsts(programOf(args), "once"),
  row(text: View, c: RegexSearchConsts): View | null {
    if (!c.search(text, 0)) return null;
    const start = c.registers.at(1);
    if (start < 0) return null;
    return text.sub(start, c.registers.at(2));
  },
});

function programOf(args: CallArgs): SearchProgram {
  const regex = regexOf(args);
  const { group = -1 } = args;
  const number = group === -1 ? Math.min(1, regex.groupNames.length) : groupNumber(regex, group);
  return compiledOnce(args, `extract ${number}`, (regex) =>
    searchProgram(
      // The whole match is a group like any other, so that one row function serves all.
      { ...regex, term: { term: "group", group: 0, body: regex.term } },
      { anchored: false, start: false, groups: [number] },
    ));
}
