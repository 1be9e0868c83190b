/**
 * Values of documents as errors show them.
 *
 * @module
 */

/** Characters of a value that an error shows. */
const mostShown = 80;

/** A value of a document for an error: JSON, cut where it is long. */
export function shortJson(value: unknown): string {
  return short(value === undefined ? "(missing)" : JSON.stringify(value));
}

/** A text for an error, cut where it is long. */
export function short(text: string): string {
  return text.length <= mostShown ? text : `${text.slice(0, mostShown)}…`;
}
