/**
 * Parses keys by which rows are sorted or grouped.
 *
 * @module
 */

import { CommandError } from "../../base/errors/command_error.ts";
import type { BatchStream } from "../../mod.ts";
import { splitNames } from "./name_list.ts";

/** A key in a word: the name of a column or the text of an expression, and its direction. */
export interface KeyWord {
  readonly text: string;
  readonly isName: boolean;
  readonly descending: boolean;
}

/**
 * Returns the keys in a word: `origin,-delay` are two names, of which the second counts down, and
 * `-name.length()` is an expression that counts down. A word that is exactly the name of a column is that name.
 */
export function sortKeys(word: string, known: ReadonlySet<string>, what: string): KeyWord[] {
  if (known.has(word)) return [{ text: word, isName: true, descending: false }];
  const isNames = /^[\p{L}\p{N}_$ ,-]+$/u.test(word) && !/[^,\s]\s*-/.test(word);
  if (isNames) {
    return splitNames(word, known, what).map((name) => ({
      ...undirected(name, known),
      isName: true,
    }));
  }
  return [{ ...undirected(word, known), isName: false }];
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
export async function refuseOtherWords(
  stream: BatchStream,
  words: readonly string[],
): Promise<void> {
  const word = words.find((word) => Object.hasOwn(BESIDE_KEYS, word.toLowerCase()));
  if (word === undefined || (await stream.schema()).fields.some(({ name }) => name === word)) {
    return;
  }
  throw new CommandError(`There is no column ${word}; ${BESIDE_KEYS[word.toLowerCase()]}`);
}

function undirected(word: string, known: ReadonlySet<string>): Omit<KeyWord, "isName"> {
  const descending = word.startsWith("-") && !known.has(word);
  return { text: descending ? word.slice(1).trim() : word, descending };
}
