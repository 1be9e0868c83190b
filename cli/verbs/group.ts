/**
 * The verb that groups rows.
 *
 * @module
 */

import type { Expr } from "../../mod.ts";
import { library } from "../library/library.ts";
import { expectArgs } from "../words/arguments.ts";
import { namesOf, splitNames } from "../words/name_list.ts";
import type { Step, Verb } from "../session/verb.ts";
import { splitDefinition } from "./columns.ts";

export const group: Verb = {
  name: "group",
  usage: "[KEY...] ['NAME = AGGREGATE'...]",
  summary: "Computes one row for the rows of each key: counts, sums, means, ...",
  details:
    `A key is a column, several separated by commas, an expression, or 'NAME = EXPR'. An argument with an
aggregate is a column of the result: count() count(x) countDistinct(x) sum(x) mean(x) min(x) max(x)
first(x) last(x) argMin(x, by) argMax(x, by) mode(x) list(x) median(x) quantile(x, 0.9) std(x)
variance(x) corr(x, y) any(test) all(test), and expressions over them. Without a key, all rows are one
group. Groups come in the order of their first rows.

  sluice read flights.parquet then group origin 'n = count()' 'late = mean(delay)'
  sluice read flights.parquet then group 'month = day.month()' 'share = sum(delay) / count()'
  sluice read flights.parquet then group 'least = min(delay)' 'greatest = max(delay)'`,
  wantsAll: true,
  parse({ args }): Step {
    expectArgs(args, `group ${this.usage}`, 1, Infinity);
    return {
      role: "transform",
      async apply(stream, { parser, pipe }) {
        const [group, hasAggregate, parse] = await Promise.all([
          library.group(),
          library.hasAggregate(),
          parser(),
        ]);
        const keys: Record<string, Expr> = Object.create(null);
        const columns: Record<string, Expr> = Object.create(null);
        const known = await namesOf(stream, args);
        for (const { name, text } of args.flatMap((arg) => splitArgument(arg, known))) {
          const expr = parse(text);
          (hasAggregate(expr) ? columns : keys)[name] = expr;
        }
        return pipe(stream, group(keys, columns));
      },
    };
  },
};

/** Returns the definitions in an argument: `NAME = EXPR`, names of columns, or an expression. */
function splitArgument(
  arg: string,
  known: ReadonlySet<string>,
): readonly { readonly name: string; readonly text: string }[] {
  const isDefinition = /^[^=]*[^=!<>]=(?!=)/.test(arg) && !known.has(arg);
  if (isDefinition) return [splitDefinition(arg)];
  const isNames = known.has(arg) || /^[\p{L}\p{N}_$ ,]+$/u.test(arg);
  if (!isNames) return [{ name: arg.trim(), text: arg }];
  return splitNames(arg, known, "group").map((name) => ({
    name,
    text: `col(${JSON.stringify(name)})`,
  }));
}
