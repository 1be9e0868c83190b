/**
 * Limits the size of decoded bytes.
 *
 * @module
 */

import { TooLargeError } from "../../../../base/errors/data_error.ts";

/** Throws a TooLargeError where decoded bytes exceed the limit. */
export function checkDecoded(numBytes: number, mostBytes: number): void {
  if (numBytes > mostBytes) throw decodesTo(mostBytes);
}

/** Returns the error for output beyond the limit. */
export function decodesTo(mostBytes: number): TooLargeError {
  return new TooLargeError(`decodes to more than ${mostBytes} bytes`);
}
