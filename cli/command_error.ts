/**
 * A mistake in the command itself, as opposed to a failure while it runs.
 *
 * @module
 */

import type { Place } from "../ops/expr/expr_error.ts";

/** What was typed is wrong: exit status 2. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  /** Where in which argument, if that is known. */
  readonly place: Place | undefined;

  constructor(message: string, options: ErrorOptions & { place?: Place } = {}) {
    super(message, options);
    this.place = options.place;
  }
}
