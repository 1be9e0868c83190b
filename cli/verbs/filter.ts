/** @module */

import { expectArgs } from "../expect_args.ts";
import type { Step, Verb } from "../verb.ts";

/** `filter EXPR` */
export const filter: Verb = {
  name: "filter",
  usage: "EXPR",
  summary: "Keeps the rows where an expression is true",
  details: `Rows where it is false or null go.

  sluice read flights.parquet then filter 'delay > 60 && origin.startsWith("S")'`,
  parse({ args }): Step {
    expectArgs(args, `filter '${this.usage}'`, 1);
    const text = args[0]!;
    return {
      role: "transform",
      apply: (stream, { sluice, parse, pipe }) => pipe(stream, sluice.filter(parse(text))),
    };
  },
};
