/**
 * Names the kind of a value for error messages.
 *
 * @module
 */

/** Returns the kind of a value with its article, for error messages. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
