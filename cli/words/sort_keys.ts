/**
 * Parses keys by which rows are sorted or grouped.
 *
 * @module
 */

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

function undirected(word: string, known: ReadonlySet<string>): Omit<KeyWord, "isName"> {
  const descending = word.startsWith("-") && !known.has(word);
  return { text: descending ? word.slice(1).trim() : word, descending };
}
