/** @module */

import { expectArgs } from "../expect_args.ts";
import type { Step, Verb } from "../verb.ts";

/** `drop NAME...` */
export const drop: Verb = {
  name: "drop",
  usage: "NAME...",
  summary: "Leaves these columns out",
  details: `  sluice read flights.parquet then drop distance`,
  parse({ args }): Step {
    expectArgs(args, `drop ${this.usage}`, 1, Infinity);
    return {
      role: "transform",
      apply: (stream, { sluice, pipe }) => pipe(stream, sluice.drop(...args)),
    };
  },
};
