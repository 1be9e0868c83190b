/**
 * What the operations on case give, over arrays of characters and written for clarity.
 *
 * @module
 */

import { titleCase } from "../../scripts/title_case.ts";

/** Each of them on a text. */
export const caseModel = {
  swapcase: (text: string): string =>
    mapped(text, (char, index, chars) => {
      if (/\p{Uppercase}/u.test(char)) return lower(chars, index);
      return /\p{Lowercase}/u.test(char) ? char.toUpperCase() : char;
    }),
  capitalize: (text: string): string =>
    mapped(text, (char, index, chars) => index === 0 ? titleCase(char) : lower(chars, index)),
  title: (text: string): string =>
    mapped(text, (char, index, chars) => {
      const isInRun = index > 0 && /\p{Cased}/u.test(chars[index - 1]!);
      return isInRun ? lower(chars, index) : titleCase(char);
    }),
};

function mapped(
  text: string,
  map: (char: string, index: number, chars: readonly string[]) => string,
): string {
  return [...text].map(map).join("");
}

/** A character in small letters where it stands. */
function lower(chars: readonly string[], index: number): string {
  const char = chars[index]!;
  if (char !== "Σ") return char.toLowerCase();
  const counts = (other: string) => !/\p{Case_Ignorable}/u.test(other);
  const before = chars.slice(0, index).findLast(counts) ?? "";
  const after = chars.slice(index + 1).find(counts) ?? "";
  return /\p{Cased}/u.test(before) && !/\p{Cased}/u.test(after) ? "ς" : "σ";
}
