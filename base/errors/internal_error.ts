/**
 * Errors that are a fault of Sluice.
 *
 * @module
 */

/** A state that Sluice must never reach, whatever the user writes. */
export class InternalError extends Error {
  override readonly name = "InternalError";

  constructor(message: string) {
    super(`internal error: ${message}`);
  }
}

/** A name of a row function was read before it had a value. */
export class NoValueError extends Error {
  override readonly name = "NoValueError";
}
