/**
 * Shows values of documents in errors.
 *
 * @module
 */

/** The greatest number of characters of a value that an error shows. */
const mostShown = 80;

/** Returns a value of a document as JSON for an error, cut off where it is long. */
export function shortJson(value: unknown): string {
  return short(value === undefined ? "(missing)" : JSON.stringify(value));
}

/** Returns text for an error, cut off where it is long. */
export function short(text: string): string {
  return text.length <= mostShown ? text : `${text.slice(0, mostShown)}…`;
}
