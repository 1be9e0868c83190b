/** @module */

/**
 * The fault in a part of Arrow data, as one clause in our own words. Whoever knows the place of the
 * part names it. What else is thrown while data is decoded has the words of the runtime, which say
 * nothing to a user.
 */
export class BrokenPartError extends Error {
  override readonly name = "BrokenPartError";
}
