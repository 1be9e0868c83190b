/**
 * Makes verbs of the operators of plugins.
 *
 * @module
 */

import type { OperatorFactory } from "../../mod.ts";
import { CommandError } from "../../base/errors/command_error.ts";
import type { ParsedOptions } from "../words/options.ts";
import type { Verb } from "../session/verb.ts";

/** Returns the verb of an operator of a plugin: `everyNth --n 2`. */
export function pluginVerb(operator: OperatorFactory): Verb {
  const { name } = operator.spec;
  return {
    name,
    usage: "[--OPTION VALUE]...",
    summary: "An operator of a plugin",
    details:
      "Options are passed to the operator by name: numbers, true and false as values, the rest as text.",
    options: { others: true },
    parse(given) {
      const options = operatorOptions(name, given);
      return {
        role: "transform",
        apply: (stream, { pipe }) => pipe(stream, operator(options)),
      };
    },
  };
}

function operatorOptions(name: string, { args, given, value }: ParsedOptions) {
  if (args.length > 0) {
    throw new CommandError(`${name} takes only options, --NAME VALUE, not ${args[0]}`);
  }
  // An option may have any name, even __proto__.
  return Object.fromEntries(given.map((option) => [option, parseValue(value(option)!)]));
}

function parseValue(text: string): unknown {
  if (text === "true" || text === "false") return text === "true";
  return text.trim() !== "" && isFinite(Number(text)) ? Number(text) : text;
}
