/**
 * The verbs that depend on batches: regroup, joinStrings.
 *
 * @module
 */

import { CommandError } from "../../base/errors/command_error.ts";
import { expectArgs } from "../words/arguments.ts";
import { library } from "../library/library.ts";
import { namesIn, splitNames } from "../words/name_list.ts";
import type { RegroupOptions } from "../../mod.ts";
import type { ParsedOptions } from "../words/options.ts";
import { parseBytes, parseInteger } from "../words/quantities.ts";
import type { Step, Verb } from "../session/verb.ts";

export const regroup: Verb = {
  name: "regroup",
  usage: "[--rows N] [--bytes SIZE] [--by NAME,...] | --sizes N,... | --one",
  summary: "Cuts the rows into batches of another size",
  details:
    `With --rows, --bytes or both, a batch is full when it reaches either. With --by, a batch ends only
where the value of one of the columns changes: at every change, or with --rows or --bytes at the
first change once the batch is full. Rows are not sorted. --sizes is the number of rows of each
batch in turn, and they must add up to all rows; --one makes a single batch.

  sluice read flights.parquet then regroup --rows 65536 then write flights.arrow
  sluice read flights.parquet then regroup --by origin --rows 10_000 then write flights.arrow
  sluice read airports.csv then regroup --sizes 1000,2000,376 then write airports.arrow`,
  options: { values: ["rows", "bytes", "sizes"], lists: ["by"], flags: ["one"] },
  wantsAll: true,
  parse(options): Step {
    expectArgs(options.args, `regroup ${this.usage}`, 0);
    const wanted = regroupOptions(options);
    return {
      role: "transform",
      async apply(stream, { pipe }) {
        const by = await namesIn(stream, [wanted.by ?? []].flat(), "--by");
        const options = by.length === 0 ? wanted : { ...wanted, by };
        return pipe(stream, (await library.regroup())(options));
      },
    };
  },
};

function regroupOptions(options: ParsedOptions): RegroupOptions {
  const { given } = options;
  const alone = given.find((name) => name === "sizes" || name === "one");
  if (given.length === 0) {
    throw new CommandError(
      "Say how to cut the batches: --rows N, --bytes SIZE, --by NAME, --sizes N,N or --one",
    );
  }
  if (alone !== undefined && given.length > 1) {
    const other = given.find((name) => name !== alone);
    throw new CommandError(`--${alone} decides every batch: leave out --${other}`);
  }
  const [rows, bytes, sizes] = ["rows", "bytes", "sizes"].map((name) => options.value(name));
  const by = options.list("by");
  // Reports mistakes before the column names are known.
  for (const text of by) splitNames(text, new Set(), "--by");
  return {
    ...(rows === undefined ? {} : { rows: parseInteger(rows, "--rows", 1) }),
    ...(bytes === undefined ? {} : { bytes: parseBytes(bytes, "--bytes") }),
    ...(by.length === 0 ? {} : { by }),
    ...(sizes === undefined ? {} : { sizes: parseSizes(sizes) }),
    ...(options.flag("one") ? { one: true } : {}),
  };
}

function parseSizes(text: string): number[] {
  return text.split(",").map((size) => parseInteger(size.trim(), "--sizes", 1));
}

export const joinStrings: Verb = {
  name: "joinStrings",
  usage: "NAME [--separator TEXT]",
  summary: "Joins the texts of a column into one row for each batch",
  details: `Nulls are skipped. A \`regroup\` before it sets the size of the batches.

  sluice read airports.csv then regroup --rows 10 then joinStrings iata --separator ", "`,
  options: { values: ["separator"] },
  parse(options): Step {
    expectArgs(options.args, `joinStrings ${this.usage}`, 1);
    const [column = ""] = options.args;
    const separator = options.value("separator") ?? "";
    return {
      role: "transform",
      apply: async (stream, { pipe }) =>
        pipe(stream, (await library.joinStrings())(column, { separator })),
    };
  },
};
