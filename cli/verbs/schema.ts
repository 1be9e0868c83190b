/** @module */

import { expectArgs } from "../expect_args.ts";
import { parseOptions } from "../options.ts";
import { print } from "../stdout.ts";
import type { SinkStep, Verb } from "../verb.ts";

/** `schema` */
export const schema: Verb = {
  name: "schema",
  usage: "",
  summary: "Prints the names and types of the columns",
  details: `  sluice read flights.parquet then schema`,
  parse(words): SinkStep {
    const { args } = parseOptions(words, {});
    expectArgs(args, "schema", 0);
    return {
      role: "sink",
      last: "schema prints and reads no rows",
      open: () => async (stream) => {
        const { typeName } = await import("../type_name.ts");
        const { fields } = await stream.schema();
        const width = Math.max(0, ...fields.map((field) => field.name.length));
        for (const { name, type, nullable } of fields) {
          print(`${name.padEnd(width)}  ${typeName(type)}${nullable ? "" : " not null"}\n`);
        }
        return undefined;
      },
    };
  },
};
