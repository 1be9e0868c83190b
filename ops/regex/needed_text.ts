/**
 * Finds a text that every match of a pattern contains.
 *
 * @module
 */

import { literalOf, type RegexTerm } from "./regex_term.ts";

/** The greatest number of code points to search for; the start of a longer text is enough. */
const MAX_CHARS = 16;

/**
 * Returns the longest text that every match obviously contains. A search for it is faster than the
 * pattern, and where it does not occur there is no match. Returns the empty text if none is known,
 * and for patterns that begin at the start of the text, since those fail early anyway.
 */
export function neededText(term: RegexTerm): string {
  if (beginsAtStart(term)) return "";
  const chars = longestIn(term).slice(0, MAX_CHARS);
  // A lone surrogate has no UTF-8.
  const isText = chars.every((char) => char < 0xd800 || char > 0xdfff);
  return isText ? String.fromCodePoint(...chars) : "";
}

function beginsAtStart(term: RegexTerm): boolean {
  switch (term.term) {
    case "look":
      return term.look === "textStart";
    case "group":
      return beginsAtStart(term.body);
    case "sequence":
      return term.parts[0] !== undefined && beginsAtStart(term.parts[0]);
    case "choice":
      return term.options.every(beginsAtStart);
    default:
      return false;
  }
}

/** Returns the code points of the longest text that is in every match. */
function longestIn(term: RegexTerm): readonly number[] {
  switch (term.term) {
    case "set":
      return literalOf(term) ?? [];
    case "group":
      return longestIn(term.body);
    case "repeat":
      return term.min > 0 ? longestIn(term.body) : [];
    case "sequence":
      return longestInSequence(term.parts);
    case "choice":
      return term.options.length === 1 ? longestIn(term.options[0]!) : [];
    case "look":
      return [];
  }
}

/** Joins neighbouring parts that match one text each; assertions between them match no text. */
function longestInSequence(parts: readonly RegexTerm[]): readonly number[] {
  let longest: readonly number[] = [];
  let run: number[] = [];
  for (const part of parts) {
    if (part.term === "look") continue;
    const literal = literalOf(part);
    run = literal === null ? [] : [...run, ...literal];
    const found = literal === null ? longestIn(part) : run;
    if (found.length > longest.length) longest = found;
  }
  return longest;
}
