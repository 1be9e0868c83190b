import type { i32, View } from "../../gpu/kernel/language/row_function.ts";
import { type CallArgs, defineStringOp, type StringOp } from "./define_string_op.ts";
import { callNode } from "../expr/call_node.ts";
import { literalNode } from "../expr/node.ts";
import { type SearchProgram, searchProgram } from "../regex/regex_program.ts";
import { find } from "./find.ts";
import { compiledOnce, PATTERNS, type RegexArg, regexProblem } from "./regex_argument.ts";
import { literalPattern } from "./regex_literal.ts";
import { type RegexSearchConsts, regexSearchConsts } from "./regex_search.ts";

/**
 * The position, in characters, where a pattern first matches; -1 where it does not.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("line").findRe("[0-9]"));
 * if (text !== 'line.findRe("[0-9]")') throw new Error(text);
 * ```
 */
export const findRe: StringOp<[pattern: RegexArg, flags?: string | null]> = defineStringOp({
  name: "findRe",
  kind: "measure",
  args: { pattern: "literal", flags: "literal" },
  defaults: { flags: "" },
  group: "regex",
  accepts: { pattern: "regex", flags: "string" },
  summary: "The position, in characters, where a pattern first matches; -1 where it does not",
  details: PATTERNS,
  examples: [
    { input: "é 42", args: ["\\d+"], result: 2 },
    { input: "none", args: ["\\d+"], result: -1 },
  ],
  check: (args) => regexProblem(() => programOf(args)),
  expand: (text, args) => {
    const literal = literalPattern(args);
    return literal === null ? undefined : callNode(find, text, [literalNode(literal)]);
  },
  consts: (args) => regexSearchConsts(programOf(args), "once"),
  row(text: View, c: RegexSearchConsts): i32 {
    return c.search(text, 0) ? text.sub(0, c.registers.at(1)).length : -1;
  },
});

function programOf(args: CallArgs): SearchProgram {
  return compiledOnce(
    args,
    "findRe",
    (regex) => searchProgram(regex, { anchored: false, start: true, groups: [] }),
  );
}
