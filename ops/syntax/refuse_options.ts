/**
 * The check that a function knows all options that it gets.
 *
 * @module
 */

import { didYouMean } from "../../base/nearest_name.ts";

/**
 * Throws a TypeError for an option that a function does not have; `name` is the function that the
 * user called. An undefined option counts as absent.
 */
export function refuseOptions(name: string, options: object, known: readonly string[]): void {
  const other = Object.entries(options)
    .find(([option, value]) => value !== undefined && !known.includes(option))?.[0];
  if (other === undefined) return;
  throw new TypeError(`${name}() has no option ${other}${didYouMean(other, known)}`);
}
