/**
 * The verbs that group rows: group, values, distinct.
 *
 * @module
 */

import { CommandError } from "../../base/errors/command_error.ts";
import type { BatchStream, Expr } from "../../mod.ts";
import { library } from "../library/library.ts";
import { expectArgs } from "../words/arguments.ts";
import { allNames, splitNames } from "../words/name_list.ts";
import { refuseOtherWords } from "../words/sort_keys.ts";
import type { Session } from "../session/session.ts";
import type { Step, Verb } from "../session/verb.ts";
import { splitDefinition } from "./columns.ts";

export const group: Verb = {
  name: "group",
  usage: "[KEY...] ['NAME = AGGREGATE'...]",
  summary: "Computes counts, sums, means and other aggregates of the rows of each key",
  details:
    `A key is a column, several separated by commas, an expression, or 'NAME = EXPR'. An argument with
an aggregate is a column of the result: count() count(x) countDistinct(x) sum(x) mean(x) min(x)
max(x) first(x) last(x) argMin(x, by) argMax(x, by) mode(x) list(x) median(x) quantile(x, 0.9)
std(x) variance(x) corr(x, y) any(test) all(test), and expressions over them. Without a key, all
rows are one group. Groups come in the order of their first rows.

  sluice read flights.parquet then group origin 'n = count()' 'late = mean(delay)'
  sluice read flights.parquet then group 'month = date.month()' 'share = sum(delay) / count()'
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
        const known = await allNames(stream);
        refuseOtherWords(args, known);
        for (const { name, text } of args.flatMap((arg) => splitArgument(arg, known, "group"))) {
          const expr = parse(text);
          (hasAggregate(expr) ? columns : keys)[name] = expr;
        }
        return pipe(stream, group(keys, columns));
      },
    };
  },
};

export const values: Verb = {
  name: "values",
  usage: "KEY...",
  summary: "Counts the rows of each value, the most frequent first",
  details: `The column count follows the keys, which are as for group.

  sluice read flights.parquet then values origin then head 10`,
  wantsAll: true,
  parse({ args }): Step {
    expectArgs(args, `values ${this.usage}`, 1, Infinity);
    return {
      role: "transform",
      apply: async (stream, session) =>
        session.pipe(
          stream,
          (await library.values())(await keysIn(stream, args, session, "values")),
        ),
    };
  },
};

export const distinct: Verb = {
  name: "distinct",
  usage: "[KEY...] [--keep first|last|none]",
  summary: "Keeps one row of each key, or without keys of equal rows",
  details:
    `The first row of each key stays, or with --keep last the last one. With --keep none only those rows
stay whose key no other row has. Rows stay in their order. Keys are as for group.

  sluice read flights.parquet then distinct origin,destination
  sluice read customers.csv then distinct id --keep last`,
  options: { values: ["keep"] },
  wantsAll: true,
  parse(options): Step {
    const keep = options.value("keep") ?? "first";
    if (keep !== "first" && keep !== "last" && keep !== "none") {
      throw new CommandError(`--keep is first, last or none, not ${JSON.stringify(keep)}`);
    }
    return {
      role: "transform",
      async apply(stream, session) {
        const keys = await keysIn(stream, options.args, session, "distinct");
        return session.pipe(stream, (await library.distinct())(keys, { keep }));
      },
    };
  },
};

/** Returns the keys in words by their names. */
async function keysIn(
  stream: BatchStream,
  words: readonly string[],
  session: Session,
  verb: string,
): Promise<Record<string, Expr>> {
  const keys: Record<string, Expr> = Object.create(null);
  if (words.length === 0) return keys;
  const [known, parse] = await Promise.all([allNames(stream), session.parser()]);
  for (const { name, text } of words.flatMap((word) => splitArgument(word, known, verb))) {
    keys[name] = parse(text);
  }
  return keys;
}

/** Returns the definitions in an argument: `NAME = EXPR`, names of columns, or an expression. */
function splitArgument(
  arg: string,
  known: ReadonlySet<string>,
  verb: string,
): readonly { readonly name: string; readonly text: string }[] {
  const isDefinition = /^[^=]*[^=!<>]=(?!=)/.test(arg) && !known.has(arg);
  if (isDefinition) return [splitDefinition(arg)];
  const isNames = known.has(arg) || /^[\p{L}\p{N}_$ ,]+$/u.test(arg) ||
    splitNames(arg, known, verb).every((name) => known.has(name));
  if (!isNames) return [{ name: arg.trim(), text: arg }];
  return splitNames(arg, known, verb).map((name) => ({
    name,
    text: `col(${JSON.stringify(name)})`,
  }));
}
