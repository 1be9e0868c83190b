/**
 * Joins arrays of bytes.
 *
 * @module
 */

/** Copies arrays one after another, into the given memory if that is large enough. */
export function joinBytes(
  parts: readonly Uint8Array[],
  memory?: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  const numBytes = parts.reduce((sum, { length }) => sum + length, 0);
  const fits = memory !== undefined && memory.length >= numBytes;
  const bytes = fits ? memory : new Uint8Array(numBytes);
  let position = 0;
  for (const part of parts) {
    bytes.set(part, position);
    position += part.length;
  }
  return bytes.subarray(0, numBytes);
}

/** Joins arrays; a single one is returned as it is. */
export function joinSeveral<Bytes extends Uint8Array>(
  parts: readonly Bytes[],
): Bytes | Uint8Array<ArrayBuffer> {
  const [only] = parts;
  return only !== undefined && parts.length === 1 ? only : joinBytes(parts);
}
