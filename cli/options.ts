/**
 * The options of one verb, or of the command as a whole.
 *
 * @module
 */

import { parseArgs } from "@std/cli/parse-args";
import { CommandError } from "./command_error.ts";
import { nearestName } from "../ops/expr/nearest_name.ts";

/** Which options there are; all of them are long. */
export interface OptionNames {
  /** Take a value. */
  readonly values?: readonly string[];
  /** Take none. */
  readonly flags?: readonly string[];
  /** Take a value, and may be given several times. */
  readonly lists?: readonly string[];
  /** Everything from the first argument that is no option on is left alone. */
  readonly stopEarly?: boolean;
  /** Not there yet; said so instead of guessing what was meant. */
  readonly planned?: readonly string[];
}

/** What was given. */
export interface ParsedOptions {
  readonly args: readonly string[];
  value(name: string): string | undefined;
  flag(name: string): boolean;
  list(name: string): readonly string[];
}

// Only `--name` is an option here. A word that starts with one dash (`-`, `-1000:`) is an
// argument, which parseArgs would take for short options: hidden from it behind this character.
const shield = "\0";

/** Reads options and arguments, in any order. Unknown options and missing values are errors. */
export function parseOptions(words: readonly string[], names: OptionNames): ParsedOptions {
  const { values = [], flags = [], lists = [], planned = [] } = names;
  const known = [...values, ...flags, ...lists];
  const parsed = parseArgs(words.map((word) => /^-(?!-)/.test(word) ? shield + word : word), {
    string: ["_", ...values, ...lists],
    boolean: [...flags],
    collect: [...lists],
    stopEarly: names.stopEarly ?? false,
    unknown(_word: string, key?: string) {
      if (key === undefined || known.includes(key)) return true;
      if (planned.includes(key)) throw new CommandError(`Option --${key} is not there yet`);
      const nearest = nearestName(key, known);
      const hint = nearest === undefined ? "" : `; did you mean --${nearest}?`;
      throw new CommandError(`Unknown option --${key}${hint}`);
    },
  }) as Record<string, unknown> & { _: string[] };
  const texts = (name: string) => {
    const given = [parsed[name] ?? []].flat() as string[];
    if (given.includes("")) throw new CommandError(`Option --${name} needs a value`);
    return given.map(unshield);
  };
  for (const name of [...values, ...lists]) texts(name);
  return {
    args: parsed._.map(unshield),
    value: (name) => texts(name)[0],
    flag: (name) => parsed[name] === true,
    list: texts,
  };
}

function unshield(word: string): string {
  return word.startsWith(shield) ? word.slice(1) : word;
}
