/**
 * Errors of limits that no plan keeps to.
 *
 * @module
 */

/** No plan of a rechunk keeps to its limits, though every chunk does. */
export class NoBoxError extends RangeError {
  override readonly name = "NoBoxError";
}
