/**
 * The operation `redact`, which covers the matches of a pattern or a text.
 *
 * @module
 */

import {
  type CallArgs,
  defineStringOp,
  type StringOp,
  type TextArg,
} from "./define/define_string_op.ts";
import { callNode } from "../syntax/call_node.ts";
import type { ExprBase } from "../syntax/expr_base.ts";
import type { ExprNode } from "../syntax/node.ts";
import { isRegexData, literalNode } from "../syntax/literal.ts";
import {
  literalPattern,
  pattern,
  PATTERNS,
  type RegexArg,
  regexProblem,
} from "./regex_argument.ts";
import { matchProgram, regexSearchConsts } from "./regex_search.ts";
import { replace } from "./replace.ts";

/**
 * Replaces every match of a pattern by `with`, or the whole text where a condition is true or null.
 * A null text stays null where it is not replaced.
 */
export const redact: StringOp<
  [what: RegexArg | ExprBase, replacement?: TextArg | null, flags?: string | null]
> = defineStringOp({
  name: "redact",
  kind: "emit",
  args: { what: "any", with: "string", flags: "literal" },
  defaults: { with: "X", flags: "" },
  group: "normalise",
  accepts: { what: "regex or bool", flags: "string" },
  condition: "what",
  summary: "The text with every match of a pattern, or where a condition holds, replaced",
  details: "The replacement is X by default. A condition that is null counts as true, so that " +
    "nothing is shown by mistake. " + PATTERNS,
  examples: [
    { input: "call 555-0199", args: [pattern(/\d/)], result: "call XXX-XXXX" },
    { input: "call 555-0199", args: [pattern(/[\d-]+/), "(hidden)"], result: "call (hidden)" },
  ],
  check: (args) => {
    if (isCondition(args.what)) {
      return args.flags === undefined ? undefined : "flags are for a pattern, not for a condition";
    }
    return regexProblem(() => matchProgram(patternArgs(args)));
  },
  expand: (text, args) => {
    if (isCondition(args.what)) return hidden(text, args.what, withOf(args));
    const target = literalPattern(patternArgs(args));
    return target === null
      ? undefined
      : callNode(replace, text, [literalNode(target), withOf(args)]);
  },
  consts: (args) => regexSearchConsts(matchProgram(patternArgs(args)), "repeatedly"),
  row(out, text, { with: replacement, search, registers, following }) {
    let done = 0;
    let from = 0;
    while (from <= text.size && search(text, from)) {
      const start = registers.at(1);
      const stop = registers.at(0);
      out.copy(text.sub(done, start));
      out.copy(replacement);
      done = stop;
      from = following(text, start, stop);
    }
    out.copy(text.sub(done, text.size));
  },
});

type Condition = ExprNode | boolean;

/** Whether the argument is a condition: an expression, or a literal bool. */
function isCondition(what: CallArgs[string]): what is Condition {
  if (typeof what === "boolean") return true;
  return typeof what === "object" && what !== null && "node" in what && !isRegexData(what);
}

/** Returns the expression that shows the text only where a condition is false. */
function hidden(text: ExprNode, what: Condition, replacement: ExprNode): ExprNode {
  const test: ExprNode = typeof what === "boolean" ? literalNode(what) : what;
  return { node: "choose", test: { node: "not", value: test }, yes: text, no: replacement };
}

function withOf(args: CallArgs): ExprNode {
  const replacement = args.with ?? "X";
  return typeof replacement === "string" ? literalNode(replacement) : replacement as ExprNode;
}

function patternArgs({ what, flags }: CallArgs): CallArgs {
  return { pattern: what, flags };
}
