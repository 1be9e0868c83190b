/** @module */

import type { Expr } from "../../mod.ts";
import { CommandError } from "../command_error.ts";
import { expectArgs } from "../expect_args.ts";
import type { Step, Verb } from "../verb.ts";

/** `with 'name = EXPR'...` */
export const withVerb: Verb = {
  name: "with",
  usage: "'NAME = EXPR'...",
  summary: "Adds columns, or replaces those that have the name",
  details:
    `All expressions of one step read the columns that come in. Text goes in double or single quotes,
columns are bare names, and col("odd name") takes any name. \`sluice ops\` lists the operations.

  sluice read flights.parquet then with 'route = origin + " > " + destination'`,
  parse({ args }): Step {
    expectArgs(args, `with ${this.usage}`, 1, Infinity);
    const definitions = args.map(splitDefinition);
    const names = definitions.map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) {
      throw new CommandError(`Column ${JSON.stringify(twice)} is given twice`);
    }
    return {
      role: "transform",
      apply(stream, { sluice, parse, pipe }) {
        const columns: Record<string, Expr> = Object.create(null);
        for (const { name, text } of definitions) columns[name] = parse(text);
        return pipe(stream, sluice.withColumns(columns));
      },
    };
  },
};

function splitDefinition(definition: string): { name: string; text: string } {
  // The first equals sign that is not part of `==`, `!=`, `<=` or `>=`.
  const match = /^([^=]*[^=!<>])=(?!=)([^]*)$/.exec(definition);
  const name = match?.[1]?.trim() ?? "";
  if (match === null || name === "" || match[2]!.trim() === "") {
    throw new CommandError(`Write 'NAME = EXPR', not ${JSON.stringify(definition)}`, {
      place: { text: definition, start: 0, stop: definition.length },
    });
  }
  return { name, text: match[2]!.trim() };
}
