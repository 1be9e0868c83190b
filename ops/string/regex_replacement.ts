import type { ParsedRegex } from "../regex/regex_term.ts";
import { groupNumber } from "./regex_groups.ts";

/** A part of a replacement: bytes of it as they are, or what a group took. */
export type ReplacementPart =
  | { readonly start: number; readonly stop: number }
  | { readonly group: number };

/** `$$`, `$&`, `$1` and `$<name>`; what else a dollar may begin is an error, but a dollar alone. */
const DOLLAR = /\$(?:\$|&|(\d{1,2})|<([^>]*)>|([`']))/g;

/**
 * Reads a replacement as JavaScript's `replace` does: `$$` is a dollar, `$&` the match, `$1` and
 * `$<name>` groups. Throws a RangeError for a group that the pattern does not have, which
 * JavaScript leaves as it is or takes for empty, and for the text around the match.
 */
export function replacementParts(replacement: string, regex: ParsedRegex): ReplacementPart[] {
  const parts: ReplacementPart[] = [];
  const bytesTo = (index: number) => new TextEncoder().encode(replacement.slice(0, index)).length;
  const literal = (start: number, stop: number) => {
    if (start < stop) parts.push({ start: bytesTo(start), stop: bytesTo(stop) });
  };
  let done = 0;
  for (const match of replacement.matchAll(DOLLAR)) {
    const [whole, digits, name, around] = match;
    const { index } = match;
    literal(done, index);
    done = index + whole.length;
    if (whole === "$$") literal(index, index + 1);
    else if (whole === "$&") parts.push({ group: 0 });
    else if (name !== undefined) parts.push({ group: groupNumber(regex, name) });
    else if (digits !== undefined) {
      // Two digits are a group where there are as many, else one digit and a literal one.
      const used = digits.length === 2 && Number(digits) > regex.groupNames.length
        ? 1
        : digits.length;
      const number = Number(digits.slice(0, used));
      if (number === 0) throw new RangeError("the whole match is $&, not $0");
      parts.push({ group: groupNumber(regex, number) });
      done -= digits.length - used;
    } else {
      throw new RangeError(`$${around} is not supported, and $$ is a dollar`);
    }
  }
  literal(done, replacement.length);
  return parts;
}

/** The text of a replacement that names no groups, or null. */
export function plainReplacement(replacement: string, regex: ParsedRegex): string | null {
  const parts = replacementParts(replacement, regex);
  if (parts.some((part) => "group" in part)) return null;
  return replacement.replaceAll("$$", "$");
}
