/**
 * The check that a function has all the options that it is given.
 *
 * @module
 */

import { didYouMean } from "../../base/nearest_name.ts";

/**
 * Throws a TypeError where an option is given that a function does not have; `name` is the function
 * that the user called. What is undefined counts as not given.
 */
export function refuseOptions(name: string, options: object, known: readonly string[]): void {
  const other = Object.entries(options)
    .find(([option, value]) => value !== undefined && !known.includes(option))?.[0];
  if (other === undefined) return;
  throw new TypeError(`${name}() has no option ${other}${didYouMean(other, known)}`);
}
