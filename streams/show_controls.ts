/**
 * Text that stays on its line.
 *
 * @module
 */

/** Line breaks and other control characters as escapes, so that no text moves the cursor. */
export function showControls(text: string): string {
  // deno-lint-ignore no-control-regex -- those are the ones
  return text.replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029]/g, (character) => {
    const escape = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }[character];
    return escape ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
