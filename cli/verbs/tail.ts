/** @module */

import { expectArgs } from "../expect_args.ts";
import { parseInteger } from "../quantities.ts";
import type { Step, Verb } from "../verb.ts";

/** `tail N` */
export const tail: Verb = {
  name: "tail",
  usage: "N",
  summary: "Keeps the last N rows",
  details: `  sluice read flights.parquet then tail 10`,
  parse({ args }): Step {
    expectArgs(args, `tail ${this.usage}`, 1);
    const count = parseInteger(args[0]!, "tail", 0);
    return {
      role: "transform",
      apply: (stream, { sluice, pipe }) => pipe(stream, sluice.tail(count)),
    };
  },
};
