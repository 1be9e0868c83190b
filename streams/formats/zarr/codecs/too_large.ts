/**
 * Bytes that come out of a codec are held to a limit.
 *
 * @module
 */

import { TooLargeError } from "../../../../base/errors/data_error.ts";

/** Throws where bytes are more than may come out. */
export function checkDecoded(numBytes: number, mostBytes: number): void {
  if (numBytes > mostBytes) throw decodesTo(mostBytes);
}

/** The error where more bytes than are allowed come out. */
export function decodesTo(mostBytes: number): TooLargeError {
  return new TooLargeError(`decodes to more than ${mostBytes} bytes`);
}
