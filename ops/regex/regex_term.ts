/**
 * The terms of a parsed regular expression, and functions that derive facts from them.
 *
 * @module
 */

import { type CharSet, unionOf } from "./char_set.ts";

/** An assertion about the two sides of a position. */
export type Look =
  | "textStart"
  | "textEnd"
  | "lineStart"
  | "lineEnd"
  | "wordBoundary"
  | "noWordBoundary";

/** A pattern without its syntax: flags and escapes are resolved into sets of code points. */
export type RegexTerm =
  | { readonly term: "set"; readonly set: CharSet }
  | { readonly term: "sequence"; readonly parts: readonly RegexTerm[] }
  /** Earlier options are preferred. */
  | { readonly term: "choice"; readonly options: readonly RegexTerm[] }
  | {
    readonly term: "repeat";
    readonly body: RegexTerm;
    readonly min: number;
    /** Infinity where the repetition has no bound. */
    readonly max: number;
    readonly greedy: boolean;
    /** The capturing groups inside, which every round resets. */
    readonly groups: readonly number[];
  }
  | { readonly term: "group"; readonly group: number; readonly body: RegexTerm }
  | { readonly term: "look"; readonly look: Look };

/** A parsed pattern. */
export interface ParsedRegex {
  /** The source of the pattern. */
  readonly pattern: string;
  /** The parsed term. */
  readonly term: RegexTerm;
  /** The name of each capturing group, from group 1 on; null for a group without a name. */
  readonly groupNames: readonly (string | null)[];
  /** The word characters, for `\b`. */
  readonly words: CharSet;
}

/** Whether a term can match without a character. */
export function canBeEmpty(term: RegexTerm): boolean {
  switch (term.term) {
    case "set":
      return false;
    case "sequence":
      return term.parts.every(canBeEmpty);
    case "choice":
      return term.options.some(canBeEmpty);
    case "repeat":
      return term.min === 0 || canBeEmpty(term.body);
    case "group":
      return canBeEmpty(term.body);
    case "look":
      return true;
  }
}

/** Returns the code points of a term that matches only one text; else null. */
export function literalOf(term: RegexTerm): number[] | null {
  switch (term.term) {
    case "set": {
      const [first = 0, stop = 0] = term.set;
      return term.set.length === 2 && stop === first + 1 ? [first] : null;
    }
    case "sequence": {
      const chars: number[] = [];
      for (const part of term.parts) {
        const literal = literalOf(part);
        if (literal === null) return null;
        chars.push(...literal);
      }
      return chars;
    }
    case "group":
      return literalOf(term.body);
    case "choice":
      return term.options.length === 1 && term.options[0] ? literalOf(term.options[0]) : null;
    default:
      return null;
  }
}

/** Returns the characters of a term that matches exactly one of them; null for other terms. */
export function oneOf(term: RegexTerm): CharSet | null {
  switch (term.term) {
    case "set":
      return term.set;
    case "sequence":
      return term.parts.length === 1 && term.parts[0] ? oneOf(term.parts[0]) : null;
    case "group":
      return oneOf(term.body);
    case "choice": {
      const sets = term.options.map(oneOf);
      return sets.every((set) => set !== null) ? unionOf(sets) : null;
    }
    default:
      return null;
  }
}

/**
 * Returns the error for a pattern that cannot be compiled: a RangeError that names the pattern, the
 * position in it (code points from 0) and the reason.
 */
export function regexError(pattern: string, at: number, reason: string): RangeError {
  const position = [...pattern.slice(0, at)].length;
  return new RangeError(`the pattern /${pattern}/ is refused at position ${position}: ${reason}`);
}
