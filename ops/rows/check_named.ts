/** @module */

import { kindOf } from "../expr/check_expr.ts";

/**
 * Throws a TypeError where something that has a value for each of some names is anything else, as
 * programs without types may have it.
 *
 * @example
 * ```ts
 * import { assertThrows } from "@std/assert";
 * import { checkNamed } from "./check_named.ts";
 *
 * assertThrows(() => checkNamed("rename()", "new names", []), TypeError, "not a list");
 * ```
 */
export function checkNamed(caller: string, what: string, named: unknown): void {
  const isNamed = typeof named === "object" && named !== null && !(Symbol.iterator in named);
  if (!isNamed) throw new TypeError(`${caller} takes ${what} by name, not ${kindOf(named)}`);
}
