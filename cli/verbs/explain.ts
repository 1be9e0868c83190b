/** @module */

import { CommandError } from "../command_error.ts";
import { expectArgs } from "../expect_args.ts";
import { print } from "../print.ts";
import type { SinkStep, Verb } from "../verb.ts";

/** `explain [--code [--ascii]]` */
export const explain: Verb = {
  name: "explain",
  usage: "[--code [--ascii]]",
  summary: "Prints what would run: the steps after rewriting, the kernels, the cuts and why",
  details:
    `--code   the code of each kernel too: row functions, IR, WebAssembly and JavaScript, WGSL
--ascii  of the code, that for batches whose text is ASCII, not that for any text

  sluice read flights.parquet then with 'o = origin.lower() + "!"' then explain
  sluice read flights.parquet then with 'o = origin.lower()' then explain --code`,
  options: { flags: ["code", "ascii"] },
  parse({ args, flag }): SinkStep {
    expectArgs(args, "explain", 0);
    const [code, ascii] = [flag("code"), flag("ascii")];
    if (ascii && !code) throw new CommandError("--ascii is for explain --code");
    return {
      role: "sink",
      last: "explain prints and reads no rows",
      open: () => async (stream) => {
        print(`${(await stream.explain({ code, ascii })).trimEnd()}\n`);
        return undefined;
      },
    };
  },
};
