/** @module */

import { displayWidth } from "../display_width.ts";
import { expectArgs } from "../expect_args.ts";
import { parseOptions } from "../options.ts";
import { showControls } from "../show_controls.ts";
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
        const names = fields.map((field) => showControls(field.name));
        const width = Math.max(0, ...names.map(displayWidth));
        for (const [index, { type, nullable }] of fields.entries()) {
          const name = names[index]!;
          const padding = " ".repeat(width - displayWidth(name));
          print(`${name}${padding}  ${typeName(type)}${nullable ? "" : " not null"}\n`);
        }
        return undefined;
      },
    };
  },
};
