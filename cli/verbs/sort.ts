/**
 * The verbs that sort rows: sort, top.
 *
 * @module
 */

import { CommandError } from "../../base/errors/command_error.ts";
import type { BatchStream, SortKey } from "../../mod.ts";
import { library } from "../library/library.ts";
import type { Session } from "../session/session.ts";
import { expectArgs } from "../words/arguments.ts";
import { allNames, namesIn } from "../words/name_list.ts";
import { parseInteger } from "../words/quantities.ts";
import { refuseOtherWords, sortKeys } from "../words/sort_keys.ts";
import type { Step, Verb } from "../session/verb.ts";

export const sort: Verb = {
  name: "sort",
  usage: "KEY... [--nulls first|last]",
  summary: "Sorts the rows; -KEY has greater values first",
  details:
    `A key is a column, several separated by commas, or an expression. Rows that are equal in the first
key are sorted by the second, and rows with equal keys keep their order. Text is in the order of its
bytes, NaN is greater than any number, and nulls come last unless --nulls is first.

  sluice read flights.parquet then sort origin,-delay
  sluice read airports.csv then sort 'name.lower()'`,
  options: {
    values: ["nulls"],
    hints: {
      desc: "write -KEY",
      descending: "write -KEY",
      reverse: "write -KEY",
      by: "write sort KEY",
    },
  },
  wantsAll: true,
  parse(options): Step {
    expectArgs(options.args, `sort ${this.usage}`, 1, Infinity);
    const nulls = options.value("nulls") ?? "last";
    if (nulls !== "first" && nulls !== "last") {
      throw new CommandError(`--nulls is first or last, not ${JSON.stringify(nulls)}`);
    }
    return {
      role: "transform",
      async apply(stream, session) {
        const keys = await keysIn(stream, options.args, session, "sort");
        return session.pipe(stream, (await library.sort())(keys, { nulls }));
      },
    };
  },
};

export const top: Verb = {
  name: "top",
  usage: "N KEY... [--by NAME,...] [--least]",
  summary: "Keeps the N rows with the greatest keys, or with --least the least",
  details: `With --by, N rows of each combination of values of these columns.

  sluice read flights.parquet then top 10 delay
  sluice read flights.parquet then top 3 delay --by origin
  sluice read flights.parquet then top 10 distance --least`,
  options: { lists: ["by"], flags: ["least"] },
  wantsAll: true,
  parse(options): Step {
    expectArgs(options.args, `top ${this.usage}`, 2, Infinity);
    const [number, ...words] = options.args;
    const count = parseInteger(number!, "top", 0);
    const least = options.flag("least");
    return {
      role: "transform",
      async apply(stream, session) {
        const by = await namesIn(stream, options.list("by"), "--by");
        const keys = await keysIn(stream, words, session, "top");
        return session.pipe(stream, (await library.top())(count, keys, { by, least }));
      },
    };
  },
};

/** Returns the keys in words. Those of `top` have no direction of their own. */
async function keysIn(
  stream: BatchStream,
  words: readonly string[],
  session: Session,
  verb: "sort" | "top",
): Promise<SortKey[]> {
  const known = await allNames(stream);
  refuseOtherWords(words, known);
  const keys = words.flatMap((word) => sortKeys(word, known, verb));
  const dashed = keys.find(({ descending }) => descending);
  if (verb === "top" && dashed !== undefined) {
    throw new CommandError(
      `top has the greatest first: write ${dashed.text}, or --least for the least`,
    );
  }
  const parse = await session.parser();
  const desc = await library.desc();
  return keys.map(({ text, isName, descending }) => {
    const key = parse(isName ? `col(${JSON.stringify(text)})` : text);
    return descending ? desc(key) : key;
  });
}
