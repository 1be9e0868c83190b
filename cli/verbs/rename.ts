/** @module */

import { CommandError } from "../command_error.ts";
import { expectArgs, splitPair } from "../expect_args.ts";
import type { Step, Verb } from "../verb.ts";

/** `rename OLD=NEW...` */
export const rename: Verb = {
  name: "rename",
  usage: "OLD=NEW...",
  summary: "Gives columns other names",
  details: `  sluice read airports.csv then rename iata=code`,
  parse({ args }): Step {
    expectArgs(args, `rename ${this.usage}`, 1, Infinity);
    const names: Record<string, string> = Object.create(null);
    for (const arg of args) {
      const pair = splitPair(arg);
      if (pair === undefined || pair.includes("")) {
        throw new CommandError(`Write OLD=NEW, not ${JSON.stringify(arg)}`);
      }
      if (pair[0] in names) throw new CommandError(`Column "${pair[0]}" is renamed twice`);
      names[pair[0]] = pair[1];
    }
    return {
      role: "transform",
      apply: (stream, { sluice, pipe }) => pipe(stream, sluice.rename(names)),
    };
  },
};
