/**
 * The options of as-of joins.
 *
 * @module
 */

import type { AsOfOptions } from "../../mod.ts";
import { CommandError } from "../../base/errors/command_error.ts";
import { oneOf } from "../words/arguments.ts";
import { splitKeys } from "../words/key_list.ts";
import { hasOption, type OptionNames, type ParsedOptions } from "../words/options.ts";
import type { Parse } from "../session/session.ts";
import { type KeyNames, keysOf, onOptions } from "./join_on.ts";

/** The options of as-of joins only, which share `--how` with joins by keys. */
export const asOfOptions = {
  values: ["asof", "direction", "tolerance"],
  lists: ["by"],
  flags: [],
} as const satisfies OptionNames;

/** Their help. */
export const asOfHelp =
  `  --asof TIME[=RIGHTTIME]  instead of --on: the row of FILE that is nearest in time; both must be
                       sorted by TIME, else it is an error. --how left (the default) or inner
  --by KEY[=RIGHTKEY]  columns that must be equal too; then only each group must be sorted
  --direction WHERE    backward (the default): the last row of FILE that is not later; forward: the
                       first that is not earlier; nearest: the nearer of the two, or the earlier
  --tolerance DISTANCE the largest distance: a number in the unit of the column, or 500ms, 2s, 1d`;

const directions = ["backward", "forward", "nearest"] as const;

/** Whether these options ask for an as-of join. Throws a CommandError for its options without `--asof`. */
export function isAsOf({ given }: ParsedOptions): boolean {
  if (given.includes("asof")) return true;
  const alone = given.find((name) => name !== "asof" && hasOption(asOfOptions, name));
  if (alone !== undefined) throw new CommandError(`--${alone} needs --asof`);
  return false;
}

/** Parses the options. The result needs the parser of expressions and the column names. */
export function parseAsOf(options: ParsedOptions): (parse: Parse, known: KeyNames) => AsOfOptions {
  const wrong = options.given.find((name) => name !== "how" && hasOption(onOptions, name));
  if (wrong !== undefined) throw new CommandError(`--${wrong} cannot be combined with --asof`);
  const [time, ...more] = splitKeys(options.value("asof")!, "--asof", "TIME");
  if (more.length > 0) throw new CommandError("--asof takes one time; put other keys into --by");
  const tolerance = options.value("tolerance");
  const by = options.list("by").flatMap((text) => splitKeys(text, "--by"));
  const rest = {
    how: choice("how", options.value("how") ?? "left", ["left", "inner"] as const),
    direction: choice("direction", options.value("direction") ?? "backward", directions),
    ...(tolerance === undefined ? {} : { tolerance }),
  };
  return (parse, known) => ({
    asOf: keysOf([time!], parse, known),
    by: keysOf(by, parse, known),
    ...rest,
  });
}

function choice<Word extends string>(name: string, value: string, words: readonly Word[]): Word {
  return oneOf(`--${name} of an as-of join`, value, words);
}
