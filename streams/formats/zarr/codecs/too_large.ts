/**
 * Limits the sizes of encoded and decoded bytes.
 *
 * @module
 */

import { TooLargeError } from "../../../../base/errors/data_error.ts";

/** The greatest number of bytes that the runtime can read at once. */
export const mostReadBytes = 2 ** 32 - 1;

/** Throws a TooLargeError where decoded bytes exceed the limit. */
export function checkDecoded(numBytes: number, mostBytes: number): void {
  if (numBytes > mostBytes) throw decodesTo(mostBytes);
}

/** Returns the error for output beyond the limit. */
export function decodesTo(mostBytes: number): TooLargeError {
  return new TooLargeError(`decodes to more than ${mostBytes} bytes`);
}
