/** @module */

import { expectArgs } from "../expect_args.ts";
import type { Step, Verb } from "../verb.ts";

/** `joinStrings NAME --separator TEXT` */
export const joinStrings: Verb = {
  name: "joinStrings",
  usage: "NAME [--separator TEXT]",
  summary: "Joins the texts of a column into one row for each batch",
  details: `Nulls are left out. \`regroup\` in front of it says what the batches are.

  sluice read airports.csv then regroup --rows 10 then joinStrings iata --separator ", "`,
  options: { values: ["separator"] },
  parse(options): Step {
    expectArgs(options.args, `joinStrings ${this.usage}`, 1);
    const [column = ""] = options.args;
    const separator = options.value("separator") ?? "";
    return {
      role: "transform",
      apply: (stream, { sluice, pipe }) => pipe(stream, sluice.joinStrings(column, { separator })),
    };
  },
};
