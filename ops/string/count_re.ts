import type { i32, View } from "../../gpu/kernel/language/row_function.ts";
import { type CallArgs, defineStringOp, type StringOp } from "./define_string_op.ts";
import { callNode } from "../expr/call_node.ts";
import { literalNode } from "../expr/node.ts";
import { type SearchProgram, searchProgram } from "../regex/regex_program.ts";
import { count } from "./find.ts";
import { compiledOnce, PATTERNS, type RegexArg, regexProblem } from "./regex_argument.ts";
import { following } from "./regex_following.ts";
import { literalPattern } from "./regex_literal.ts";
import { type RegexSearchConsts, regexSearchConsts } from "./regex_search.ts";

/**
 * How many matches of a pattern follow each other without overlaps, as JavaScript's `matchAll`
 * finds them: after an empty match the search goes on one character further.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("line").countRe(/\w+/));
 * if (text !== "line.countRe(/\\w+/)") throw new Error(text);
 * ```
 */
export const countRe: StringOp<[pattern: RegexArg, flags?: string | null]> = defineStringOp({
  name: "countRe",
  kind: "measure",
  args: { pattern: "literal", flags: "literal" },
  defaults: { flags: "" },
  group: "regex",
  accepts: { pattern: "regex", flags: "string" },
  summary: "How many matches of a pattern follow each other without overlaps",
  details: `After an empty match the search goes on one character further. ${PATTERNS}`,
  differs: ["Polars: an empty match right after another one does not count"],
  examples: [
    { input: "one two three", args: ["\\w+"], result: 3 },
    { input: "né", args: ["x*"], result: 3 },
  ],
  check: (args) => regexProblem(() => programOf(args)),
  expand: (text, args) => {
    const literal = literalPattern(args);
    return literal === null ? undefined : callNode(count, text, [literalNode(literal)]);
  },
  consts: (args) => ({ ...regexSearchConsts(programOf(args), "repeatedly"), following }),
  row(text: View, c: RegexSearchConsts & { following: typeof following }): i32 {
    let count = 0;
    let from = 0;
    while (from <= text.size && c.search(text, from)) {
      count++;
      from = c.following(text, c.registers.at(1), c.registers.at(0));
    }
    return count;
  },
});

function programOf(args: CallArgs): SearchProgram {
  return compiledOnce(
    args,
    "countRe",
    (regex) => searchProgram(regex, { anchored: false, start: true, groups: [] }),
  );
}
