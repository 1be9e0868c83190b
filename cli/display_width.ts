/**
 * How wide text is on a terminal.
 *
 * @module
 */

const combining = /^[\p{Mn}\p{Me}\p{Cf}]$/u;

// Wide and full-width characters of Unicode's East Asian Width, in ranges that are a little
// generous where nothing is assigned yet.
const wideRanges: readonly (readonly [first: number, last: number])[] = [
  [0x1100, 0x115f], // Hangul letters
  [0x2e80, 0x303e], // CJK radicals and punctuation
  [0x3041, 0xa4cf], // kana, CJK, Yi
  [0xa960, 0xa97f], // more Hangul letters
  [0xac00, 0xd7a3], // Hangul syllables
  [0xf900, 0xfaff], // CJK compatibility
  [0xfe30, 0xfe6f], // CJK forms
  [0xff00, 0xff60], // full-width forms
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f], // pictographs
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1faff],
  [0x20000, 0x3fffd], // more CJK
];

/** Columns of a terminal that a text takes, as nearly as can be told without asking it. */
export function displayWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** The text, cut to a width; what was cut shows as an ellipsis. */
export function cutToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let cut = "";
  let left = width - 1;
  for (const character of text) {
    left -= characterWidth(character);
    if (left < 0) break;
    cut += character;
  }
  return cut + "…";
}

function characterWidth(character: string): number {
  const code = character.codePointAt(0)!;
  if (code < 0x300) return 1;
  if (combining.test(character)) return 0;
  return wideRanges.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
}
