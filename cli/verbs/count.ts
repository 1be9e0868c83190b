/** @module */

import { expectArgs } from "../expect_args.ts";
import { print } from "../print.ts";
import type { SinkStep, Verb } from "../verb.ts";

/** `count` */
export const count: Verb = {
  name: "count",
  usage: "",
  summary: "Prints the number of rows",
  details:
    `Where the metadata of the files tells it, no rows are read; and only those columns are read and
computed that some filter or join looks at.

  sluice read flights.parquet then filter 'delay > 60' then count`,
  parse({ args }): SinkStep {
    expectArgs(args, "count", 0);
    return {
      role: "sink",
      last: "count has read the rows",
      open: () => async (stream) => {
        const { countRows } = await import("../../mod.ts");
        print(`${await countRows(stream)}\n`);
        return undefined;
      },
    };
  },
};
