/**
 * Parses column names in the words of a command: one in each word, or several separated by commas.
 *
 * @module
 */

import type { BatchStream } from "../../mod.ts";
import { CommandError } from "../../base/errors/command_error.ts";

/**
 * Returns the names in words such as `a,b`. A word that is exactly the name of a column of the stream is
 * that name, even if it has commas or blanks; blanks around any other name are dropped. `what` is the verb
 * or option, for errors.
 */
export async function namesIn(
  stream: BatchStream,
  words: readonly string[],
  what: string,
): Promise<string[]> {
  const known = await namesOf(stream, words);
  return words.flatMap((word) => splitNames(word, known, what));
}

/** Returns the names in a word, given the names of the columns, as `namesIn` does. */
export function splitNames(word: string, known: ReadonlySet<string>, what: string): string[] {
  const parts = word.split(",");
  const names: string[] = [];
  for (let start = 0; start < parts.length;) {
    let stop = parts.length;
    const joined = () => parts.slice(start, stop).join(",");
    while (stop > start + 1 && !known.has(joined()) && !known.has(joined().trim())) stop--;
    const name = toTheLetter(joined(), known);
    if (name === "" && !known.has(name)) {
      throw new CommandError(
        `${what} takes names separated by commas, not ${JSON.stringify(word)}`,
      );
    }
    names.push(name);
    start = stop;
  }
  return names;
}

/** Returns the old and the new names in words such as `old=new` and `a=b,c=d`. */
export async function renamesIn(
  stream: BatchStream,
  words: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  return splitRenames(words, await namesOf(stream, words));
}

/** Returns the same, given the names of the columns. Throws a CommandError for a name that is renamed twice. */
export function splitRenames(
  words: readonly string[],
  known: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [from, to] of words.flatMap((word) => pairsOf(word, known))) {
    if (names.has(from)) throw new CommandError(`Column "${from}" is renamed twice`);
    names.set(from, to);
  }
  return names;
}

function pairsOf(word: string, known: ReadonlySet<string>): [string, string][] {
  const parts = word.split(",").map((part) => renameOf(part, known));
  const isList = parts.every((pair) => pair !== undefined && known.has(pair[0]));
  const pairs = parts.length > 1 && isList ? parts : [renameOf(word, known)];
  return pairs.map((pair) => {
    const isNamed = pair !== undefined && pair[1] !== "" && (pair[0] !== "" || known.has(""));
    if (!isNamed) throw new CommandError(`Write OLD=NEW, not ${JSON.stringify(word)}`);
    return pair;
  });
}

/** Splits a word after the longest column name that ends at an equals sign, else at the first equals sign. */
function renameOf(word: string, known: ReadonlySet<string>): [string, string] | undefined {
  const places = [...word.matchAll(/=/g)].map(({ index }) => index);
  const place = places.findLast((place) => known.has(word.slice(0, place))) ??
    places.findLast((place) => known.has(word.slice(0, place).trim())) ?? places[0];
  if (place === undefined) return undefined;
  const from = word.slice(0, place);
  return [toTheLetter(from, known), word.slice(place + 1).trim()];
}

/** Returns a text unchanged if it is the name of a column; otherwise without blanks around it. */
export function toTheLetter(text: string, known: ReadonlySet<string>): string {
  return known.has(text) ? text : text.trim();
}

/** Returns the names of the columns if a word has blanks around a name; otherwise an empty set. */
export function namesWithBlanks(
  stream: BatchStream,
  words: readonly string[],
): Promise<ReadonlySet<string>> {
  return namesOf(stream, words.filter((word) => /^\s|\s[,=]|[,=]\s|\s$/.test(word)));
}

/** Returns the names of all columns; if the stream fails, which a later step reports, an empty set. */
export async function allNames(stream: BatchStream): Promise<ReadonlySet<string>> {
  const schema = await stream.schema().catch(() => undefined);
  return new Set(schema?.fields.map(({ name }) => name));
}

/** Returns the names of the columns if a word is ambiguous; otherwise, or if the stream fails, an empty set. */
export async function namesOf(
  stream: BatchStream,
  words: readonly string[],
): Promise<ReadonlySet<string>> {
  if (words.every((word) => /^[^\s,=]*(=[^\s,=]*)?$/.test(word))) return new Set();
  return await allNames(stream);
}
