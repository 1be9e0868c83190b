/** @module */

import { expectArgs } from "../expect_args.ts";
import { print } from "../print.ts";
import type { SinkStep, Verb } from "../verb.ts";

/** `explain` */
export const explain: Verb = {
  name: "explain",
  usage: "",
  summary: "Prints what would run: the steps after rewriting, the kernels, the cuts and why",
  details: `  sluice read flights.parquet then with 'o = origin.lower() + "!"' then explain`,
  parse({ args }): SinkStep {
    expectArgs(args, "explain", 0);
    return {
      role: "sink",
      last: "explain prints and reads no rows",
      open: () => async (stream) => {
        print(`${(await stream.explain()).trimEnd()}\n`);
        return undefined;
      },
    };
  },
};
