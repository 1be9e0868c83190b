/**
 * The verbs that change columns: with, select, drop, rename.
 *
 * @module
 */

import { CommandError } from "../../base/errors/command_error.ts";
import { expectArgs } from "../words/arguments.ts";
import { library } from "../library/library.ts";
import { namesIn, renamesIn, splitRenames } from "../words/name_list.ts";
import type { Step, Verb } from "../session/verb.ts";
import type { Expr } from "../../mod.ts";

export const withVerb: Verb = {
  name: "with",
  usage: "'NAME = EXPR'...",
  summary: "Adds columns, or replaces those of the same name",
  details:
    `All expressions of one step read the input columns. Text goes in double or single quotes, columns
are bare names, and col("odd name") takes any name. \`sluice ops\` lists the operations.

  sluice read flights.parquet then with 'route = origin + " > " + destination'`,
  wantsAll: true,
  parse({ args }): Step {
    expectArgs(args, `with ${this.usage}`, 1, Infinity);
    const definitions = args.map(splitDefinition);
    const names = definitions.map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) {
      throw new CommandError(`Column ${JSON.stringify(twice)} is defined twice`);
    }
    return {
      role: "transform",
      async apply(stream, { parser, pipe }) {
        const [withColumns, parse] = await Promise.all([library.withColumns(), parser()]);
        const columns: Record<string, Expr> = Object.create(null);
        for (const { name, text } of definitions) columns[name] = parse(text);
        return pipe(stream, withColumns(columns));
      },
    };
  },
};

/** Splits `NAME = EXPR`. */
export function splitDefinition(definition: string): { name: string; text: string } {
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

export const select: Verb = {
  name: "select",
  usage: "NAME...",
  summary: "Keeps these columns, in this order",
  details:
    `Separate names by blanks or by commas, here and wherever columns are named. A name that itself has
commas or blanks is taken literally.

  sluice read flights.parquet then select origin,delay`,
  parse({ args }): Step {
    expectArgs(args, `select ${this.usage}`, 1, Infinity);
    return {
      role: "transform",
      apply: async (stream, { pipe }) => {
        const names = await namesIn(stream, args, "select");
        return pipe(stream, (await library.select())(...names));
      },
    };
  },
};

export const drop: Verb = {
  name: "drop",
  usage: "NAME...",
  summary: "Drops these columns",
  details: `  sluice read flights.parquet then drop distance`,
  parse({ args }): Step {
    expectArgs(args, `drop ${this.usage}`, 1, Infinity);
    return {
      role: "transform",
      apply: async (stream, { pipe }) => {
        const names = await namesIn(stream, args, "drop");
        return pipe(stream, (await library.drop())(...names));
      },
    };
  },
};

export const rename: Verb = {
  name: "rename",
  usage: "OLD=NEW...",
  summary: "Renames columns",
  details: `  sluice read airports.csv then rename iata=code`,
  wantsAll: true,
  parse({ args }): Step {
    expectArgs(args, `rename ${this.usage}`, 1, Infinity);
    // Reports mistakes before the column names are known.
    splitRenames(args, new Set());
    return {
      role: "transform",
      async apply(stream, { pipe }) {
        const names = Object.fromEntries(await renamesIn(stream, args));
        return pipe(stream, (await library.rename())(names));
      },
    };
  },
};
