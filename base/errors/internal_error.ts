/**
 * Errors that are a fault of Sluice.
 *
 * @module
 */

/** Something that cannot happen did: a fault of Sluice, whatever the user wrote. */
export class InternalError extends Error {
  override readonly name = "InternalError";
}

/** A name of a row function was read before it had a value. */
export class NoValueError extends Error {
  override readonly name = "NoValueError";
}
