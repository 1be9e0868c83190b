/**
 * Parses keys by which rows are sorted or grouped.
 *
 * @module
 */

import { CommandError } from "../../base/errors/command_error.ts";
import { splitNames } from "./name_list.ts";

/** A key in a word: the name of a column or the text of an expression, and its direction. */
export interface KeyWord {
  readonly text: string;
  readonly isName: boolean;
  readonly descending: boolean;
}

/**
 * Returns the keys in a word: `origin,-delay` are two names, of which the second counts down, and
 * `-name.length()` is an expression that counts down. `known` are the names of all columns.
 */
export function sortKeys(word: string, known: ReadonlySet<string>, what: string): KeyWord[] {
  if (word.trim() === "") throw new CommandError(`${what} takes keys, not ${JSON.stringify(word)}`);
  const names = splitNames(word, new Set([...known].flatMap((name) => [name, `-${name}`])), what);
  const keys = names.map((name) => ({ ...undirected(name, known), isName: true }));
  const isNames = keys.every(({ text }) => known.has(text) || /^[\p{L}\p{N}_$ ]+$/u.test(text));
  return isNames ? keys : [{ ...undirected(word, known), isName: false }];
}

/** Words of other languages beside a key, and what to write. */
const BESIDE_KEYS: Readonly<Record<string, string>> = {
  by: "keys follow the verb: sort KEY, group KEY",
  desc: "-KEY has greater values first",
  descending: "-KEY has greater values first",
  asc: "KEY alone has lesser values first",
  ascending: "KEY alone has lesser values first",
};

/** Throws a CommandError if a word is one of SQL's beside a key, and no column has that name. */
export function refuseOtherWords(words: readonly string[], known: ReadonlySet<string>): void {
  const word = words.find((word) => Object.hasOwn(BESIDE_KEYS, word.toLowerCase()));
  if (word === undefined || known.size === 0 || known.has(word)) return;
  throw new CommandError(`There is no column ${word}; ${BESIDE_KEYS[word.toLowerCase()]}`);
}

function undirected(word: string, known: ReadonlySet<string>): Omit<KeyWord, "isName"> {
  const descending = word.startsWith("-") && !known.has(word);
  return { text: descending ? word.slice(1).trim() : word, descending };
}
