/**
 * The options of joins by equal keys, and of the cross join.
 *
 * @module
 */

import {
  defaultJoinHow,
  isJoinHow,
  type JoinHow,
  joinHows,
  joinKinds,
} from "../library/known_words.ts";
import { didYouMean } from "../../base/nearest_name.ts";
import type { EquiJoinOptions, Expr, JoinOptions } from "../../mod.ts";
import { CommandError } from "../../base/errors/command_error.ts";
import { oneOf } from "../words/arguments.ts";
import { splitKeys } from "../words/key_list.ts";
import { toTheLetter } from "../words/name_list.ts";
import type { OptionNames, ParsedOptions } from "../words/options.ts";
import type { Parse } from "../session/session.ts";

/** The options of these joins only. */
export const onOptions = {
  values: ["how", "promote", "validate", "order"],
  lists: ["on"],
  flags: ["nulls-equal"],
} as const satisfies OptionNames;

/** Their help. */
export const onHelp =
  `  --on KEY[=RIGHTKEY]  the key, and its name in FILE if that differs; a KEY with parentheses
                       is an expression, as in --on 'upper(city)=city'. Several keys: --on a,b=c
  --how HOW            ${kindsHelp()}
  --nulls-equal        null keys equal each other; otherwise they match nothing
  --validate KIND      requires unique keys: 1:1 on both sides, 1:m in the input, m:1 in FILE
  --promote lossless   compares integers of up to 32 bits with floats, too
  --order none         permits any order of the rows, which may be faster`;

/** Parses the options. The result needs the parser of expressions and the column names. */
export function parseOn(options: ParsedOptions): (parse: Parse, known: KeyNames) => JoinOptions {
  const how = parseHow(options.value("how") ?? defaultJoinHow);
  const order = orderOption(options.value("order"));
  const pairs = options.list("on").flatMap((text) => splitKeys(text));
  if (how === "cross") {
    if (pairs.length > 0) throw new CommandError("--how cross takes no keys");
    refuseBesideCross(options);
    return () => ({ how, ...order });
  }
  if (pairs.length === 0) {
    throw new CommandError("Say which key to join on: --on KEY[=RIGHTKEY]");
  }
  refuseTwice(pairs.map(([left]) => left));
  const rest = {
    how,
    ...order,
    nullsEqual: options.flag("nulls-equal"),
    ...choice(options, "validate", ["1:1", "1:m", "m:1", "m:m"] as const),
    ...choice(options, "promote", ["exact", "lossless"] as const),
  };
  return (parse, known) => {
    refuseTwice(pairs.map(([left]) => toTheLetter(left, known.left)));
    return { on: keysOf(pairs, parse, known), ...rest };
  };
}

/** The column names of both sides of a join; none if no key has blanks around it. */
export interface KeyNames {
  readonly left: ReadonlySet<string>;
  readonly right: ReadonlySet<string>;
}

/** Returns the keys as the library takes them: a key with parentheses is an expression. */
export function keysOf(
  pairs: readonly (readonly [left: string, right: string])[],
  parse: Parse,
  { left: lefts, right: rights }: KeyNames,
): (readonly [left: string | Expr, right: string | Expr])[] {
  const key = (text: string, known: ReadonlySet<string>) => {
    const name = toTheLetter(text, known);
    return name.includes("(") && !known.has(name) ? parse(name) : name;
  };
  return pairs.map(([left, right]) => [key(left, lefts), key(right, rights)]);
}

function refuseTwice(lefts: readonly string[]): void {
  const twice = lefts.find((left, index) => lefts.indexOf(left) !== index);
  if (twice === undefined) return;
  throw new CommandError(`--on names the key ${JSON.stringify(twice)} twice`);
}

function refuseBesideCross({ given }: ParsedOptions): void {
  const wrong = given.find((name) =>
    ["nulls-equal", "validate", "promote", "keep-keys"].includes(name)
  );
  if (wrong !== undefined) throw new CommandError(`--how cross takes no keys, and no --${wrong}`);
}

function orderOption(value: string | undefined): Pick<EquiJoinOptions, "order"> {
  if (value === undefined) return {};
  if (value === "probe" || value === "none") return { order: value };
  throw new CommandError(`--order must be probe or none, not ${JSON.stringify(value)}`);
}

/** Parses an option whose value is one of some words. */
function choice<Name extends string, Word extends string>(
  options: ParsedOptions,
  name: Name,
  words: readonly Word[],
): { readonly [key in Name]?: Word } {
  const value = options.value(name);
  if (value === undefined) return {};
  return { [name]: oneOf(`--${name}`, value, words) } as { readonly [key in Name]?: Word };
}

/** Returns the help on the kinds of join: `inner (the default); left: also the rows ...`. */
function kindsHelp(): string {
  return joinHows.map((how) => {
    const { help } = joinKinds[how];
    return `${how}${how === defaultJoinHow ? " (the default)" : ""}${help && `: ${help}`}`;
  }).join(";\n                       ");
}

function parseHow(text: string): JoinHow {
  if (isJoinHow(text)) return text;
  const hint = didYouMean(text, joinHows) || `; there are ${joinHows.join(", ")}`;
  throw new CommandError(`Unknown --how ${text}${hint}`);
}
