/**
 * Errors for bytes that a library cannot decode.
 *
 * @module
 */

import { isSluiceError } from "../../../../base/errors/is_sluice_error.ts";

/** Decodes, and names the format in an error, whose message is a clause about a chunk. */
export async function decodeSound<T>(format: string, decode: () => T | Promise<T>): Promise<T> {
  try {
    return await decode();
  } catch (cause) {
    if (isSluiceError(cause, "TooLargeError")) throw cause;
    const { message } = cause as Error;
    throw new Error(`has corrupt ${format} data: ${message}`, { cause });
  }
}
