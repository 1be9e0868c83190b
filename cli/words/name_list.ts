/**
 * Names of columns as the command line takes them: one by one, or with commas between.
 *
 * @module
 */

import type { BatchStream } from "../../mod.ts";
import { CommandError } from "../../base/errors/command_error.ts";

/**
 * The names in words such as `a,b`, of which some may have commas or blanks: what is the name of a
 * column of the stream, to the letter, is that name. Around any other, blanks are dropped. `what` takes
 * them, for errors.
 */
export async function namesIn(
  stream: BatchStream,
  words: readonly string[],
  what: string,
): Promise<string[]> {
  const known = await namesOf(stream, words);
  return words.flatMap((word) => splitNames(word, known, what));
}

/** The same for names that are known already. */
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
        `${what} takes names with commas between, not ${JSON.stringify(word)}`,
      );
    }
    names.push(name);
    start = stop;
  }
  return names;
}

/** The old and the new name in each of words such as `old=new` and `a=b,c=d`. */
export async function renamesIn(
  stream: BatchStream,
  words: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  return splitRenames(words, await namesOf(stream, words));
}

/** The same for names that are known already. A name that is renamed twice is an error. */
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

/** Splits where the longest name of a column ends, else at the first equals sign. */
function renameOf(word: string, known: ReadonlySet<string>): [string, string] | undefined {
  const places = [...word.matchAll(/=/g)].map(({ index }) => index);
  const place = places.findLast((place) => known.has(word.slice(0, place))) ??
    places.findLast((place) => known.has(word.slice(0, place).trim())) ?? places[0];
  if (place === undefined) return undefined;
  const from = word.slice(0, place);
  return [toTheLetter(from, known), word.slice(place + 1).trim()];
}

/** The name as it is written, where a column has it, blanks included; else without blanks around it. */
export function toTheLetter(text: string, known: ReadonlySet<string>): string {
  return known.has(text) ? text : text.trim();
}

/** The names of the columns, where a word has blanks around a name; none where none has. */
export function namesWithBlanks(
  stream: BatchStream,
  words: readonly string[],
): Promise<ReadonlySet<string>> {
  return namesOf(stream, words.filter((word) => /^\s|\s[,=]|[,=]\s|\s$/.test(word)));
}

/** The names of the columns, where a word may mean several things. A stream that fails does so later. */
async function namesOf(
  stream: BatchStream,
  words: readonly string[],
): Promise<ReadonlySet<string>> {
  if (words.every((word) => /^[^\s,=]*(=[^\s,=]*)?$/.test(word))) return new Set();
  const schema = await stream.schema().catch(() => undefined);
  return new Set(schema?.fields.map(({ name }) => name));
}
