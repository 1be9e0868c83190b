import { defineStringOp, type StringOp } from "./define_string_op.ts";
import { callNode } from "../expr/call_node.ts";
import { literalNode } from "../expr/node.ts";
import { contains } from "./find.ts";
import { type RegexArg, regexProblem } from "./regex_argument.ts";
import { literalPattern } from "./regex_literal.ts";
import { regexTest, regexTestOverloads } from "./regex_test_row.ts";

/**
 * Whether a pattern matches anywhere in the text.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("name").containsRe(/^van\b/i));
 * if (text !== "name.containsRe(/^van\\b/i)") throw new Error(text);
 * ```
 */
export const containsRe: StringOp<[pattern: RegexArg, flags?: string | null]> = defineStringOp({
  name: "containsRe",
  args: { pattern: "literal", flags: "literal" },
  optional: ["flags"],
  group: "regex",
  accepts: { pattern: "regex", flags: "string" },
  summary: "Whether a pattern matches anywhere in the text",
  details:
    "Patterns are JavaScript's, and the leftmost match is taken, as there; flags are i, m, s and u. " +
    "Each search takes time in proportion to the text. Backreferences and lookaround are errors, " +
    "and so is a pattern that needs more than 2,000 states.",
  differs: [
    "JavaScript: characters are code points without flag u too; \\d \\w \\s \\b are ASCII without it, " +
    "Unicode's with it; under flag m only a line feed ends a line",
  ],
  examples: [
    { input: "Ludwig van Beethoven", args: ["\\bvan\\b"], result: true },
    { input: "Vanessa", args: [{ regex: "^van\\b", flags: "i" }], result: false },
  ],
  check: (args) => regexProblem(() => regexTest(args, false)),
  expand: (text, args) => {
    const literal = literalPattern(args);
    return literal === null ? undefined : callNode(contains, text, [literalNode(literal)]);
  },
  choose: (args) => regexTest(args, false).bytes === null ? "characters" : "bytes",
  overloads: regexTestOverloads(false),
});
