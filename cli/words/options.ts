/**
 * Parses the options of a verb, or of the command as a whole.
 *
 * @module
 */

import { InternalError } from "../../base/errors/internal_error.ts";
import { parseArgs } from "@std/cli/parse-args";
import { CommandError } from "../../base/errors/command_error.ts";
import { nearestName } from "../../base/nearest_name.ts";

/** The names of the options of a verb. All options are long; only lists may be repeated. */
export interface OptionNames {
  /** Options with a value. */
  readonly values?: readonly string[];
  /** Options with a value that may be repeated. */
  readonly lists?: readonly string[];
  /** Options without a value. */
  readonly flags?: readonly string[];
  /** Whether any other name is accepted too, with a value; the caller checks it. */
  readonly others?: boolean;
  /** Whether options end at the first argument. */
  readonly stopEarly?: boolean;
  /** Advice for options of other tools, by their names. */
  readonly hints?: Readonly<Record<string, string>>;
  /** Returns advice on an option that does not exist here but elsewhere; undefined if it exists nowhere. */
  readonly elsewhere?: (name: string) => string | undefined;
}

/** Whether an option of this name exists. */
export function hasOption({ values, lists, flags }: OptionNames, name: string): boolean {
  return [values, lists, flags].some((names) => names?.includes(name));
}

/** The parsed options. A request for an undeclared option throws an InternalError. */
export interface ParsedOptions {
  readonly args: readonly string[];
  /** The names of the given options, each once, in the order of their declaration. */
  readonly given: readonly string[];
  value(name: string): string | undefined;
  flag(name: string): boolean;
  list(name: string): readonly string[];
}

// A mark on words that parseArgs would misread: words with one leading dash (`-`, `-1000:`), which are
// arguments here; flags with a value, which it would drop; and with `stopEarly` a `--`, which it would search
// for in all words.
const shield = "\0";

/**
 * Parses options and arguments, in any order; everything after `--` is an argument. Throws a CommandError for
 * an unknown option, a missing value, a flag with a value, and an option other than a list given twice.
 */
export function parseOptions(words: readonly string[], names: OptionNames): ParsedOptions {
  const { values = [], lists = [], flags = [], others = false, stopEarly = false } = names;
  const known = [...values, ...lists, ...flags];
  const named = words.flatMap((word) => nameOf(word) ?? []).filter(isName);
  const options = [...new Set(others ? [...known, ...named] : known)];
  const texts = options.filter((name) => !flags.includes(name));
  const parsed = parseArgs(words.map((word) => shielded(word, names)), {
    string: ["_", ...texts],
    boolean: [...flags],
    collect: options,
    stopEarly,
    unknown(word: string, key?: string) {
      if (key !== undefined && !options.includes(key)) throw refusal(word, names);
      return true;
    },
  }) as Record<string, unknown> & { _: string[] };
  const given = new Map<string, readonly string[]>();
  for (const name of options) {
    const all = Object.hasOwn(parsed, name) ? [parsed[name]].flat().map(String) : [];
    const isGiven = texts.includes(name) ? all.length > 0 : all.includes("true");
    if (isGiven) given.set(name, oneOrList(name, all.map(unshielded), names));
  }
  const declared = (name: string, kind: "values" | "lists" | "flags") => {
    if (names[kind]?.includes(name) || (kind === "values" && others)) return given.get(name);
    throw new InternalError(`--${name} is not declared under ${kind}`);
  };
  const args = parsed._.map(unshielded);
  return {
    args: stopEarly && args[0] === "--" ? args.slice(1) : args,
    given: options.filter((name) => given.has(name)),
    value: (name) => declared(name, "values")?.[0],
    flag: (name) => declared(name, "flags") !== undefined,
    list: (name) => declared(name, "lists") ?? [],
  };
}

/** Whether an option may have this name; parseArgs cannot handle `__proto__`. */
function isName(name: string): boolean {
  return name !== "" && name !== "__proto__";
}

/** Returns the name of the option in a word; undefined if it is not an option. */
function nameOf(word: string): string | undefined {
  return /^--([^=]*)/.exec(word)?.[1];
}

function shielded(word: string, { flags = [], stopEarly = false }: OptionNames): string {
  if (/^-(?!-)/.test(word) || (stopEarly && word === "--")) return shield + word;
  const hasValueOfFlag = word.includes("=") && flags.includes(nameOf(word) ?? "");
  return hasValueOfFlag ? `--${shield}${word.slice(2)}` : word;
}

function unshielded(word: string): string {
  return word.replace(shield, "");
}

/** Returns the values of an option; for a flag, one `true` for each time it was given. */
function oneOrList(name: string, all: readonly string[], names: OptionNames): readonly string[] {
  const isFlag = names.flags?.includes(name);
  if (!isFlag && all.includes("")) throw new CommandError(`Option --${name} needs a value`);
  if (all.length === 1 || names.lists?.includes(name)) return all;
  const both = all.slice(0, 2).map((value) => JSON.stringify(value)).join(" and ");
  throw new CommandError(`Option --${name} occurs twice${isFlag ? "" : `, with ${both}`}`);
}

/** Returns the error for an unknown option or for a flag with a value. */
function refusal(word: string, names: OptionNames): CommandError {
  const { values = [], lists = [], flags = [] } = names;
  const name = unshielded(nameOf(word) ?? word);
  if (flags.includes(name)) {
    const value = JSON.stringify(word.slice(word.indexOf("=") + 1));
    return new CommandError(`Option --${name} takes no value, not ${value}`);
  }
  if (name.startsWith("no-") && flags.includes(name.slice(3))) {
    return new CommandError(`There is no option --${name}; leave out --${name.slice(3)}`);
  }
  const key = name.replace(/(?<=[a-z])(?=[A-Z])/g, "-").replaceAll("_", "-").toLowerCase();
  const { hints = {} } = names;
  const elsewhere = Object.hasOwn(hints, key) ? hints[key] : names.elsewhere?.(name);
  const nearest = nearestName(name, [...values, ...lists, ...flags]);
  const hint = elsewhere !== undefined
    ? `; ${elsewhere}`
    : nearest === undefined
    ? ""
    : `; did you mean --${nearest}?`;
  return new CommandError(`Unknown option --${name}${hint}`);
}
