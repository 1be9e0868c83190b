import { type CallArgs, defineStringOp, type StringOp } from "../define_string_op.ts";
import { callNode } from "../expr/call_node.ts";
import { literalNode } from "../expr/node.ts";
import { type TestProgram, testProgram } from "../regex/regex_program.ts";
import { startsWith } from "./starts_with.ts";
import { compiledOnce, PATTERNS, type RegexArg, regexProblem } from "./regex_argument.ts";
import { literalPattern } from "./regex_literal.ts";
import { regexTestConsts, regexTestRow } from "./regex_test_row.ts";

/**
 * Whether the text begins with a match of a pattern, as in libcudf's `matches_re`; end the pattern
 * with `$` to have it match the whole text.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("day").matches(/\d{4}-/));
 * if (text !== "day.matches(/\\d{4}-/)") throw new Error(text);
 * ```
 */
export const matches: StringOp<[pattern: RegexArg, flags?: string | null]> = defineStringOp({
  name: "matches",
  kind: "measure",
  returns: "bool",
  args: { pattern: "literal", flags: "literal" },
  defaults: { flags: "" },
  group: "regex",
  summary: "Whether the text begins with a match of a pattern",
  details: `The whole text is matched by a pattern that ends with $. ${PATTERNS}`,
  examples: [
    { input: "2001-03-14", args: ["\\d{4}-"], result: true },
    { input: "on 2001-03-14", args: ["\\d{4}-"], result: false },
    { input: "anna", args: ["[an]+$"], result: true },
  ],
  check: (args) => regexProblem(() => programOf(args)),
  expand: (text, args) => {
    const literal = literalPattern(args);
    return literal === null ? undefined : callNode(startsWith, text, [literalNode(literal)]);
  },
  consts: (args) => regexTestConsts(programOf(args)),
  row: regexTestRow,
});

function programOf(args: CallArgs): TestProgram {
  return compiledOnce(args, "matches", (regex) => testProgram(regex, true));
}
