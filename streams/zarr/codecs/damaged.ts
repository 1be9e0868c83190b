/**
 * What is said where a library cannot decode bytes.
 *
 * @module
 */

/** Decodes, and names the format in an error, which is a clause about a chunk. */
export async function decodeSound<T>(format: string, decode: () => T | Promise<T>): Promise<T> {
  try {
    return await decode();
  } catch (cause) {
    const { message } = cause as Error;
    throw new Error(`has damaged ${format} data: ${message}`, { cause });
  }
}
