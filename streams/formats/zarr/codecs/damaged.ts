/**
 * What is said where a library cannot decode bytes.
 *
 * @module
 */

import { TooLargeError } from "./too_large.ts";

/** Decodes, and names the format in an error, which is a clause about a chunk. */
export async function decodeSound<T>(format: string, decode: () => T | Promise<T>): Promise<T> {
  try {
    return await decode();
  } catch (cause) {
    if (cause instanceof TooLargeError) throw cause;
    const { message } = cause as Error;
    throw new Error(`has damaged ${format} data: ${message}`, { cause });
  }
}
