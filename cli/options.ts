/**
 * The options of one verb, or of the command as a whole.
 *
 * The parser is our own: only `--name` is an option here, and `-1000:` an argument. The packages take
 * one dash for an option as well, keep the last of two values, and turn `--stats=1` into true.
 *
 * @module
 */

import { CommandError } from "./command_error.ts";
import { nearestName } from "../ops/expr/nearest_name.ts";

/** Which options there are; all of them are long, and each may be given once, but for lists. */
export interface OptionNames {
  /** Take a value. */
  readonly values?: readonly string[];
  /** Take a value, and add up where they are given several times. */
  readonly lists?: readonly string[];
  /** Take none. */
  readonly flags?: readonly string[];
  /** Every other name takes a value, too: who asks for the options knows which there are. */
  readonly others?: boolean;
  /** Everything from the first argument that is no option on is left alone. */
  readonly stopEarly?: boolean;
  /** Not there yet; said so instead of guessing what was meant. */
  readonly planned?: readonly string[];
}

/** What was given. To ask for an option that was not declared is an error of ours. */
export interface ParsedOptions {
  readonly args: readonly string[];
  /** The options that were given, each once, in their order. */
  readonly given: readonly string[];
  value(name: string): string | undefined;
  flag(name: string): boolean;
  list(name: string): readonly string[];
}

/**
 * Reads options and arguments, in any order; what follows `--` is an argument. Unknown options,
 * missing values, values of flags, and a second value of what is no list are errors.
 */
export function parseOptions(words: readonly string[], names: OptionNames): ParsedOptions {
  const args: string[] = [];
  const texts = new Map<string, string[]>();
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    const [, name, inline] = /^--([^=]*)(?:=([^]*))?$/.exec(word) ?? [];
    if (word === "--" || (name === undefined && names.stopEarly)) {
      args.push(...words.slice(word === "--" ? i + 1 : i));
      break;
    }
    if (name === undefined) args.push(word);
    else if (takesValue(name, names)) {
      const next = words[i + 1]?.startsWith("--") ? undefined : words[i + 1];
      const value = inline ?? next;
      if (!value) throw new CommandError(`Option --${name} needs a value`);
      if (inline === undefined) i++;
      const earlier = texts.get(name) ?? [];
      if (earlier.length > 0 && !names.lists?.includes(name)) throw twice(name, earlier[0]!, value);
      texts.set(name, [...earlier, value]);
    } else {
      if (inline !== undefined) {
        throw new CommandError(`Option --${name} takes no value, not ${JSON.stringify(inline)}`);
      }
      if (texts.has(name)) throw new CommandError(`Option --${name} is given twice`);
      texts.set(name, []);
    }
  }
  const declared = (name: string, kind: "values" | "lists" | "flags") => {
    if (names[kind]?.includes(name) || (kind === "values" && names.others)) return texts.get(name);
    throw new TypeError(`--${name} is not declared under ${kind}`);
  };
  return {
    args,
    given: [...texts.keys()],
    value: (name) => declared(name, "values")?.[0],
    flag: (name) => declared(name, "flags") !== undefined,
    list: (name) => declared(name, "lists") ?? [],
  };
}

/** Whether an option takes a value or is a flag; any other is an error. */
function takesValue(name: string, names: OptionNames): boolean {
  const { values = [], lists = [], flags = [], planned = [] } = names;
  if (flags.includes(name)) return false;
  if (values.includes(name) || lists.includes(name)) return true;
  if (planned.includes(name)) throw new CommandError(`Option --${name} is not there yet`);
  if (names.others && name !== "") return true;
  if (name.startsWith("no-") && flags.includes(name.slice(3))) {
    throw new CommandError(`There is no option --${name}; leave out --${name.slice(3)}`);
  }
  const nearest = nearestName(name, [...values, ...lists, ...flags]);
  const hint = nearest === undefined ? "" : `; did you mean --${nearest}?`;
  throw new CommandError(`Unknown option --${name}${hint}`);
}

function twice(name: string, first: string, second: string): CommandError {
  const values = `${JSON.stringify(first)} and ${JSON.stringify(second)}`;
  return new CommandError(`Option --${name} is given twice, with ${values}`);
}
