/**
 * Work that is divided where its result would be too large.
 *
 * @module
 */

import { OverflowError } from "../errors.ts";

/**
 * What `make` gives for the rows [start, stop), or for parts of them, in order: a range for which
 * it raises an OverflowError is halved, until it has one row.
 */
export function* inHalves<T>(
  start: number,
  stop: number,
  make: (start: number, stop: number) => T,
): Generator<T, void, void> {
  let made: T;
  try {
    made = make(start, stop);
  } catch (error) {
    if (!(error instanceof OverflowError) || stop - start < 2) throw error;
    const middle = start + ((stop - start) >>> 1);
    yield* inHalves(start, middle, make);
    yield* inHalves(middle, stop, make);
    return;
  }
  yield made;
}
