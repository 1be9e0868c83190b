/**
 * Stops a kernel at a row that a strict call refuses.
 *
 * @module
 */

import { RefusedError } from "../../../base/errors/value_error.ts";

/** Throws: the batch has no result. */
export function refuse(): never {
  throw new RefusedError();
}
