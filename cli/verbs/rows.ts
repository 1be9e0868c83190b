/**
 * The verbs that keep some rows: filter, slice, head, tail, at, take.
 *
 * @module
 */

import { CommandError } from "../../base/errors/command_error.ts";
import { expectArgs } from "../words/arguments.ts";
import { library } from "../library/library.ts";
import { parseInteger } from "../words/quantities.ts";
import {
  orderHelp,
  orderOption,
  orderOptions,
  parseRange,
  parseRowList,
  wasteHelp,
  wasteOption,
  wasteOptions,
} from "../words/row_list.ts";
import type { Step, Verb } from "../session/verb.ts";

export const filter: Verb = {
  name: "filter",
  usage: "EXPR",
  summary: "Keeps the rows where an expression is true",
  details: `Rows where it is false or null are dropped.

  sluice read flights.parquet then filter 'delay > 60 && origin.startsWith("S")'`,
  wantsAll: true,
  parse({ args }): Step {
    expectArgs(args, `filter '${this.usage}'`, 1);
    const text = args[0]!;
    return {
      role: "transform",
      async apply(stream, { parser, pipe }) {
        const [filter, parse] = await Promise.all([library.filter(), parser()]);
        return pipe(stream, filter(parse(text)));
      },
    };
  },
};

export const slice: Verb = {
  name: "slice",
  usage: "START:STOP[:STEP] [--hold] [--max-waste SHARE]",
  summary: "Keeps a range of rows, by Python's rules",
  details:
    `Rows count from 0; STOP is not part of the range; negative positions count from the end. Each part
may be left out. STEP 2 keeps every second row; with a negative STEP the rows come backwards. From
an Arrow or Parquet file, only the parts with these rows are read; from other formats, reading stops
after the last of them.

  ${orderHelp}

  sluice read flights.parquet then slice -1000:
  sluice read flights.parquet then slice 10:20
  sluice read flights.parquet then slice ::-1 then head 5`,
  options: orderOptions,
  wantsFewRows: true,
  parse(options): Step {
    expectArgs(options.args, `slice ${this.usage}`, 1);
    const { start, stop, step } = parseRange(options.args[0]!);
    const limits = orderOption(options);
    return {
      role: "transform",
      apply: async (stream, { pipe }) =>
        pipe(
          stream,
          (await library.slice())(start, stop, step, limits),
        ),
    };
  },
};

export const head: Verb = {
  name: "head",
  usage: "N",
  summary: "Keeps the first N rows, and stops reading after them",
  details: `  sluice read flights.parquet then head 10`,
  wantsFewRows: true,
  parse({ args }): Step {
    const count = countIn(args, "head", this.usage);
    return {
      role: "transform",
      apply: async (stream, { pipe }) => pipe(stream, (await library.head())(count)),
    };
  },
};

/** Parses a number of rows: `5`, or as in a shell's `head` and `tail`, `-n 5`, `-n5`, `-5`. */
export function countIn(args: readonly string[], verb: string, usage: string): number {
  const [first = "", ...rest] = args;
  const count = first === "-n" ? rest : [first.replace(/^-n?(?=\d)/, ""), ...rest];
  expectArgs(first === "" ? [] : count, `${verb} ${usage}`, 1);
  const text = count[0]!;
  // In a shell, these forms leave out N rows.
  const other = verb === "tail" && /^\+\d/.test(text)
    ? "slice N: leaves out the first N rows"
    : verb === "head" && /^-\d/.test(text)
    ? "slice :-N leaves out the last N rows"
    : undefined;
  if (other === undefined) return parseInteger(text, verb, 0);
  throw new CommandError(`${verb} takes a number of rows, not ${JSON.stringify(text)}; ${other}`);
}

export const tail: Verb = {
  name: "tail",
  usage: "N",
  summary: "Keeps the last N rows",
  details: `  sluice read flights.parquet then tail 10`,
  wantsFewRows: true,
  parse({ args }): Step {
    const count = countIn(args, "tail", this.usage);
    return {
      role: "transform",
      apply: async (stream, { pipe }) => pipe(stream, (await library.tail())(count)),
    };
  },
};

export const at: Verb = {
  name: "at",
  usage: "I [--max-waste SHARE]",
  summary: "Keeps one row; a position that does not exist is an error",
  details: `Rows count from 0, negative positions from the end.

  ${wasteHelp}

  sluice read flights.parquet then at -1`,
  options: wasteOptions,
  wantsFewRows: true,
  parse(options): Step {
    expectArgs(options.args, `at ${this.usage}`, 1);
    const index = parseInteger(options.args[0]!, "at");
    const limits = wasteOption(options);
    return {
      role: "transform",
      apply: async (stream, { pipe }) => pipe(stream, (await library.at())(index, limits)),
    };
  },
};

export const take: Verb = {
  name: "take",
  usage: "LIST [--hold] [--max-waste SHARE]",
  summary: "Keeps rows by their positions, in the order given",
  details:
    `LIST is positions and ranges, separated by commas; a row appears as often as it is named. A position
that does not exist is an error; ranges are as for slice.

  ${orderHelp}

  sluice read flights.parquet then take 5,-1,7,100:110`,
  options: orderOptions,
  wantsFewRows: true,
  parse(options): Step {
    expectArgs(options.args, `take ${this.usage}`, 1);
    const rows = parseRowList(options.args[0]!);
    const limits = orderOption(options);
    return {
      role: "transform",
      apply: async (stream, { pipe }) => pipe(stream, (await library.take())(rows, limits)),
    };
  },
};
