/**
 * The messages of operations on whole numbers that have no result.
 *
 * @module
 */

/** The message of an operator whose result is out of the range of a type. */
export function doesNotFit(operator: string, type: string) {
  return (call: string, a: string, b: string): string =>
    `${call} does not fit in ${type}: ${a} ${operator} ${b}`;
}
