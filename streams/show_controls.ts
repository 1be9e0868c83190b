/**
 * Text that stays on its line.
 *
 * @module
 */

/**
 * Control characters (C0, delete, C1), the breaks of lines and paragraphs, and those that change the
 * direction of the text around them: a terminal obeys them, whoever wrote them.
 * https://www.unicode.org/reports/tr9/#Explicit_Directional_Embeddings
 */
const controls =
  // deno-lint-ignore no-control-regex -- those are the ones
  /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Text that comes from outside (a name, a value, a path) for people to read: each control character
 * is an escape, as in JSON, so that no text moves the cursor, hides or turns round what stands beside
 * it. What was shown once is shown as it is.
 */
export function showControls(text: string): string {
  return text.replace(controls, (character) => {
    const escape = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }[character];
    return escape ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
