/** @module */

import { expectArgs } from "../expect_args.ts";
import { parseInteger } from "../quantities.ts";
import { print } from "../print.ts";
import { terminalColumns } from "../terminal.ts";
import type { SinkStep, Verb } from "../verb.ts";

/** `show [N]` */
export const show: Verb = {
  name: "show",
  usage: "[N]",
  summary: "Prints the first N rows (10 by default) as a table",
  details: `On a terminal, long values are cut to its width.

  sluice read flights.parquet then show 3`,
  parse({ args }): SinkStep {
    expectArgs(args, `show ${this.usage}`, 0, 1);
    return showStep(args[0] === undefined ? 10 : parseInteger(args[0], "show", 0));
  },
};

/** The step that prints rows. */
export function showStep(count: number): SinkStep {
  return {
    role: "sink",
    last: "show has read the rows",
    open: ({ sluice, pipe }) => async (stream) => {
      const { formatTable } = await import("../table.ts");
      const total = await stream.numRows();
      // One row more than is shown tells whether there are more.
      const table = await sluice.toTable(pipe(stream, sluice.head(count + 1)));
      print(formatTable(table, { count, total, width: terminalColumns(Deno.stdout) }));
      return undefined;
    },
  };
}
