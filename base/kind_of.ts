/**
 * Describes a value that cannot be used, for error messages.
 *
 * @module
 */

/** Returns the kind of a value with its article, for error messages. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** Returns text in quotes, a number or a boolean as it is, and the kind of any other value. */
export function showValue(value: unknown): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "bigint":
      return `${value}n`;
    case "number":
    case "boolean":
      return String(value);
    default:
      return kindOf(value);
  }
}
