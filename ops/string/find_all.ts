import type { ListSink, View } from "../../gpu/kernel/language/row_function.ts";
import { type CallArgs, defineStringOp, type StringOp } from "./define_string_op.ts";
import { type SearchProgram, searchProgram } from "../regex/regex_program.ts";
import { compiledOnce, PATTERNS, type RegexArg, regexProblem } from "./regex_argument.ts";
import { following } from "./regex_following.ts";
import { type RegexSearchConsts, regexSearchConsts } from "./regex_search.ts";

/**
 * The matches of a pattern as a list of strings, from left to right and without overlaps, as
 * JavaScript's `match` finds them with flag `g`: after an empty match the search goes on one
 * character further. Without a match the list is empty.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { col, fromBatches, toTable, withColumns } from "../../mod.ts";
 *
 * const posts = fromBatches(tableFromArrays({ post: ["#deno and #arrow"] }));
 * const table = await toTable(posts.pipeThrough(withColumns({ tags: col("post").findAll(/#\w+/) })));
 * assertEquals([...table.get(0)?.tags], ["#deno", "#arrow"]);
 * ```
 */
export const findAll: StringOp<[pattern: RegexArg, flags?: string | null]> = defineStringOp({
  name: "findAll",
  kind: "list",
  args: { pattern: "literal", flags: "literal" },
  accepts: { pattern: "regex", flags: "string" },
  defaults: { flags: "" },
  group: "regex",
  summary: "The matches of a pattern, as a list",
  details: `Without a match the list is empty. ${PATTERNS}`,
  differs: ["Python: findall() gives the groups where the pattern has some"],
  examples: [
    { input: "one 1, two 22", args: ["\\d+"], result: ["1", "22"] },
    { input: "ab", args: ["x*"], result: ["", "", ""] },
    { input: "none", args: ["\\d+"], result: [] },
  ],
  check: (args) => regexProblem(() => programOf(args)),
  consts: (args) => ({ ...regexSearchConsts(programOf(args), "repeatedly"), following }),
  row(out: ListSink, text: View, c: RegexSearchConsts & { following: typeof following }) {
    let from = 0;
    while (from <= text.size && c.search(text, from)) {
      const start = c.registers.at(1);
      const stop = c.registers.at(0);
      out.item(text.sub(start, stop));
      from = c.following(text, start, stop);
    }
  },
});

function programOf(args: CallArgs): SearchProgram {
  return compiledOnce(
    args,
    "countRe",
    (regex) => searchProgram(regex, { anchored: false, start: true, groups: [] }),
  );
}
