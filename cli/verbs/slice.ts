/** @module */

import { CommandError } from "../command_error.ts";
import { expectArgs } from "../expect_args.ts";
import { parseInteger } from "../quantities.ts";
import type { Step, Verb } from "../verb.ts";

/** `slice START:STOP[:STEP]` */
export const slice: Verb = {
  name: "slice",
  usage: "START:STOP[:STEP]",
  summary: "Keeps a range of rows, by Python's rules",
  details:
    `Rows count from 0; STOP is not part of the range; negative positions count from the end. Each part
may be left out. A slice from the start stops reading as soon as it has its rows.

  sluice read flights.parquet then slice -1000:
  sluice read flights.parquet then slice 10:20`,
  parse({ args }): Step {
    expectArgs(args, `slice ${this.usage}`, 1);
    const [start, stop, step] = parseRange(args[0]!);
    return {
      role: "transform",
      apply: (stream, { sluice, pipe }) => pipe(stream, sluice.slice(start, stop, step)),
    };
  },
};

function parseRange(text: string): (number | undefined)[] {
  const parts = text.split(":");
  if (parts.length < 2 || parts.length > 3) {
    throw new CommandError(`Write START:STOP or START:STOP:STEP, not ${JSON.stringify(text)}`);
  }
  const names = ["START", "STOP", "STEP"];
  return parts.map((part, i) => part === "" ? undefined : parseInteger(part, names[i]!));
}
