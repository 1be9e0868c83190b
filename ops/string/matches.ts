import { defineStringOp, type StringOp } from "./define_string_op.ts";
import { callNode } from "../expr/call_node.ts";
import { literalNode } from "../expr/node.ts";
import { startsWith } from "./affixes.ts";
import { PATTERNS, type RegexArg, regexProblem } from "./regex_argument.ts";
import { literalPattern } from "./regex_literal.ts";
import { regexTest, regexTestOverloads } from "./regex_test_row.ts";

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
  args: { pattern: "literal", flags: "literal" },
  optional: ["flags"],
  group: "regex",
  accepts: { pattern: "regex", flags: "string" },
  summary: "Whether the text begins with a match of a pattern",
  details: `The whole text is matched by a pattern that ends with $. ${PATTERNS}`,
  examples: [
    { input: "2001-03-14", args: ["\\d{4}-"], result: true },
    { input: "on 2001-03-14", args: ["\\d{4}-"], result: false },
    { input: "anna", args: ["[an]+$"], result: true },
  ],
  check: (args) => regexProblem(() => regexTest(args, true)),
  expand: (text, args) => {
    const literal = literalPattern(args);
    return literal === null ? undefined : callNode(startsWith, text, [literalNode(literal)]);
  },
  choose: (args) => regexTest(args, true).bytes === null ? "characters" : "bytes",
  overloads: regexTestOverloads(true),
});
