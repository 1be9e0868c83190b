/**
 * Converts characters to title case: JavaScript has the characters and the mappings to capitals, but no method
 * for title case.
 *
 * @module
 */

const LETTERS = titleLetters();

/**
 * Returns a character in title case, by Unicode's full mappings: `Ǆ`, `ǅ` and `ǆ` become `ǅ`, `ﬁ` becomes
 * `Fi`, and Georgian letters, which have capitals only in words in all capitals, stay.
 */
export function titleCase(char: string): string {
  const letter = LETTERS.get(char);
  if (letter !== undefined) return letter;
  if (/^[\u{10d0}-\u{10ff}]$/u.test(char)) return char;
  const upper = char.toUpperCase();
  const [first = "", ...rest] = upper;
  if (rest.length === 0) return upper;
  // An iota below a letter becomes a letter of its own in capitals, but stays below in title case.
  if (char.normalize("NFD").includes("\u{345}")) return upper.replace(/\u{399}$/u, "\u{345}");
  // ŉ begins with an apostrophe, which has no case.
  return /\p{Cased}/u.test(first) ? first + rest.join("").toLowerCase() : upper;
}

/** Returns the characters that become one of the category Lt, such as ǅ and ᾈ. */
function titleLetters(): Map<string, string> {
  const letters = new Map<string, string>();
  for (let code = 0; code <= 0xffff; code++) {
    const letter = String.fromCharCode(code);
    if (!/^\p{Lt}$/u.test(letter)) continue;
    letters.set(letter, letter);
    letters.set(letter.toLowerCase(), letter);
    const upper = letter.toUpperCase();
    if (upper.length === 1) letters.set(upper, letter);
  }
  return letters;
}
