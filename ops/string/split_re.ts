import type { ListSink, View } from "../../gpu/kernel/language/row_function.ts";
import { type CallArgs, defineStringOp, type StringOp } from "./define_string_op.ts";
import { callNode } from "../expr/call_node.ts";
import { literalNode } from "../expr/node.ts";
import { type SearchProgram, searchProgram } from "../regex/regex_program.ts";
import { compiledOnce, PATTERNS, type RegexArg, regexProblem } from "./regex_argument.ts";
import { literalPattern } from "./regex_literal.ts";
import { type RegexSearchConsts, regexSearchConsts } from "./regex_search.ts";
import { split } from "./split.ts";

/**
 * The parts of the text between the matches of a pattern, as a list of strings, cut as JavaScript's
 * `split` does: an empty match cuts between two characters, not at the start or the end. An empty
 * text is one empty part, and groups are no parts.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { col, fromBatches, toTable, withColumns } from "../../mod.ts";
 *
 * const lines = fromBatches(tableFromArrays({ line: ["a, b;c"] }));
 * const table = await toTable(
 *   lines.pipeThrough(withColumns({ parts: col("line").splitRe("[,;] *") })),
 * );
 * assertEquals([...table.get(0)?.parts], ["a", "b", "c"]);
 * ```
 */
export const splitRe: StringOp<[pattern: RegexArg, flags?: string | null]> = defineStringOp({
  name: "splitRe",
  kind: "list",
  args: { pattern: "literal", flags: "literal" },
  accepts: { pattern: "regex", flags: "string" },
  defaults: { flags: "" },
  group: "regex",
  summary: "The parts of the text between the matches of a pattern, as a list",
  details: `An empty match cuts between two characters, not at the start or the end. ${PATTERNS}`,
  differs: [
    "JavaScript: groups are no parts; an empty text is one empty part, whatever the pattern",
    "Python: re.split() also cuts where an empty match stands at the start or the end",
  ],
  examples: [
    { input: "a, b;c", args: ["[,;] *"], result: ["a", "b", "c"] },
    { input: "né", args: ["x*"], result: ["n", "é"] },
    { input: "none", args: ["\\d"], result: ["none"] },
  ],
  check: (args) => regexProblem(() => programOf(args)),
  expand: (text, args) => {
    const literal = literalPattern(args);
    return literal === null ? undefined : callNode(split, text, [literalNode(literal)]);
  },
  consts: (args) => regexSearchConsts(programOf(args), "repeatedly"),
  row(out: ListSink, text: View, c: RegexSearchConsts) {
    let done = 0;
    let from = 0;
    while (from < text.size && c.search(text, from)) {
      const start = c.registers.at(1);
      const stop = c.registers.at(0);
      if (start >= text.size) break;
      if (stop === done) {
        // An empty match where the part begins cuts nothing off.
        from = text.next(from);
      } else {
        out.item(text.sub(done, start));
        done = stop;
        from = stop;
      }
    }
    out.item(text.sub(done, text.size));
  },
});

function programOf(args: CallArgs): SearchProgram {
  return compiledOnce(
    args,
    "countRe",
    (regex) => searchProgram(regex, { anchored: false, start: true, groups: [] }),
  );
}
