/**
 * Joins chunks of bytes.
 *
 * @module
 */

/** Joins chunks in order, in the given memory if that is large enough. */
export function joinChunks(
  chunks: readonly Uint8Array[],
  memory?: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  const numBytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const bytes = memory !== undefined && memory.length >= numBytes
    ? memory
    : new Uint8Array(numBytes);
  let position = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, position);
    position += chunk.length;
  }
  return bytes.subarray(0, numBytes);
}
