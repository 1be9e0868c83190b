/** @module */

import type { OperatorFactory } from "../../mod.ts";
import { CommandError } from "../command_error.ts";
import type { Verb } from "../verb.ts";

/** The verb of an operator that a plugin brings: `everyNth --n 2`. */
export function pluginVerb(operator: OperatorFactory): Verb {
  const { name } = operator.spec;
  return {
    name,
    usage: "[--OPTION VALUE]...",
    summary: "An operator of a plugin",
    details:
      `Options go to the operator by name: numbers, true and false as such, anything else as text.`,
    parse(words) {
      const options = parsePluginOptions(name, words);
      return {
        role: "transform",
        apply: (stream, { pipe }) => pipe(stream, operator(options)),
      };
    },
  };
}

/** Any option may be right, so each takes a value: the next word, or what follows `=`. */
function parsePluginOptions(name: string, words: readonly string[]): Record<string, unknown> {
  const options: Record<string, unknown> = {};
  for (let i = 0; i < words.length; i++) {
    const [, option, inline] = /^--([^=]+)(?:=([^]*))?$/.exec(words[i]!) ?? [];
    if (option === undefined) {
      throw new CommandError(`${name} takes only options, --NAME VALUE, not ${words[i]}`);
    }
    const value = inline ?? words[++i];
    if (value === undefined) throw new CommandError(`Option --${option} needs a value`);
    options[option] = parseValue(value);
  }
  return options;
}

function parseValue(text: string): unknown {
  if (text === "true" || text === "false") return text === "true";
  return text.trim() !== "" && isFinite(Number(text)) ? Number(text) : text;
}
