/** @module */

import { expectArgs } from "../expect_args.ts";
import { parseInteger } from "../quantities.ts";
import type { Step, Verb } from "../verb.ts";

/** `head N` */
export const head: Verb = {
  name: "head",
  usage: "N",
  summary: "Keeps the first N rows, and reads no more than it needs",
  details: `  sluice read flights.parquet then head 10`,
  parse({ args }): Step {
    expectArgs(args, `head ${this.usage}`, 1);
    const count = parseInteger(args[0]!, "head", 0);
    return {
      role: "transform",
      apply: (stream, { sluice, pipe }) => pipe(stream, sluice.head(count)),
    };
  },
};
