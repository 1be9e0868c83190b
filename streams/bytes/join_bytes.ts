/**
 * Joins pieces of bytes.
 *
 * @module
 */

/** Copies pieces one after another, into the given memory if that is large enough. */
export function joinBytes(
  pieces: readonly Uint8Array[],
  memory?: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  const numBytes = pieces.reduce((sum, { length }) => sum + length, 0);
  const fits = memory !== undefined && memory.length >= numBytes;
  const bytes = fits ? memory : new Uint8Array(numBytes);
  let position = 0;
  for (const piece of pieces) {
    bytes.set(piece, position);
    position += piece.length;
  }
  return bytes.subarray(0, numBytes);
}

/** Joins pieces; a single piece is returned as it is. */
export function joinSeveral<Bytes extends Uint8Array>(
  pieces: readonly Bytes[],
): Bytes | Uint8Array<ArrayBuffer> {
  const [only] = pieces;
  return only !== undefined && pieces.length === 1 ? only : joinBytes(pieces);
}
