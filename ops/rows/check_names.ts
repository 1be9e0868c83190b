/** @module */

import { kindOf } from "../expr/check_expr.ts";

/**
 * Throws a TypeError where names of columns are anything else, as programs without types may have it.
 *
 * @example
 * ```ts
 * import { assertThrows } from "@std/assert";
 * import { checkNames } from "./check_names.ts";
 *
 * assertThrows(() => checkNames("select()", [["id"]]), TypeError, "names of columns, not a list");
 * ```
 */
export function checkNames(caller: string, names: unknown): void {
  const wrong = Array.isArray(names) ? names.find((name) => typeof name !== "string") : names;
  const isWrong = !Array.isArray(names) || names.some((name) => typeof name !== "string");
  if (isWrong) throw new TypeError(`${caller} takes names of columns, not ${kindOf(wrong)}`);
}
