/**
 * The float64 nearest to the number that a text is: as JavaScript's `Number` reads it, and the words
 * `inf` and `infinity` in any case. NaN for any other text, white space included.
 */
export function decimalOfText(text: string): number {
  if (/^[+-]?inf(inity)?$/i.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  // Number("") is 0, and so is white space.
  return text.trim() === "" ? NaN : Number(text);
}
