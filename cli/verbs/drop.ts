/** @module */

import { expectArgs } from "../expect_args.ts";
import { parseOptions } from "../options.ts";
import type { Step, Verb } from "../verb.ts";

/** `drop NAME...` */
export const drop: Verb = {
  name: "drop",
  usage: "NAME...",
  summary: "Leaves these columns out",
  details: `  sluice read flights.parquet then drop distance`,
  parse(words): Step {
    const { args } = parseOptions(words, {});
    expectArgs(args, `drop ${this.usage}`, 1, Infinity);
    return {
      role: "transform",
      apply: (stream, { sluice, pipe }) => pipe(stream, sluice.drop(...args)),
    };
  },
};
