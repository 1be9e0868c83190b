/**
 * Escapes control characters for display.
 *
 * @module
 */

/**
 * Control characters (C0, delete, C1), line and paragraph separators, and bidirectional formatting
 * characters, all of which a terminal obeys.
 * https://www.unicode.org/reports/tr9/#Explicit_Directional_Embeddings
 */
const controls =
  // deno-lint-ignore no-control-regex -- it is meant to match them
  /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Escapes control characters in foreign text (a name, a value, a path) as in JSON, so that the text cannot
 * move the cursor, or hide or reorder the text around it. Idempotent.
 */
export function showControls(text: string): string {
  return text.replace(controls, (character) => {
    const escape = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }[character];
    return escape ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
