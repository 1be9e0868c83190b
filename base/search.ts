/**
 * Binary search, over integers and over sorted numbers.
 *
 * @module
 */

/**
 * Returns the first integer from `start` to before `stop` for which a test holds, or `stop` if there is none.
 * The test must hold for all integers after the first one for which it holds.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 *
 * const rowsOfPages = [0, 100, 250];
 * const nextPage = firstWhere(0, 3, (page) => rowsOfPages[page]! > 120);
 * assertEquals(nextPage, 2);
 * ```
 */
export function firstWhere(
  start: number,
  stop: number,
  test: (integer: number) => boolean,
): number {
  let [low, high] = [start, stop];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the index of the first of ascending numbers that is at least `least`, or their length. */
export function lowerBound(numbers: ArrayLike<number>, least: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the index of the first of ascending numbers that is greater than `most`, or their length. */
export function upperBound(numbers: ArrayLike<number>, most: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}
