/** @module */

/**
 * What a value is, with its article, for errors.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { kindOf } from "./kind_of.ts";
 *
 * assertEquals([5, {}, [], null].map(kindOf), ["a number", "an object", "a list", "null"]);
 * ```
 */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
