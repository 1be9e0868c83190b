/** @module */

import { expectArgs } from "../expect_args.ts";
import type { Step, Verb } from "../verb.ts";

/** `select NAME...` */
export const select: Verb = {
  name: "select",
  usage: "NAME...",
  summary: "Keeps these columns, in this order",
  details: `  sluice read flights.parquet then select origin delay`,
  parse({ args }): Step {
    expectArgs(args, `select ${this.usage}`, 1, Infinity);
    return {
      role: "transform",
      apply: (stream, { sluice, pipe }) => pipe(stream, sluice.select(...args)),
    };
  },
};
