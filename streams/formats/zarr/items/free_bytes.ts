/**
 * Memory that is given back before the garbage collector would.
 *
 * @module
 */

/** Buffers of fewer bytes are left to the collector: some are parts of a pool of the runtime. */
const leastBytes = 64 << 10;

/**
 * Moves what a compiled codec made of `input` to a room, and frees the buffer in which it lies alone.
 * What does not fit is given back as it is.
 */
export function movedTo(room: Uint8Array, made: Uint8Array, input: Uint8Array): Uint8Array {
  if (made.length > room.length) return made;
  const moved = room.subarray(0, made.length);
  moved.set(made);
  const { buffer } = made;
  const isAlone = buffer instanceof ArrayBuffer && buffer.byteLength === made.length &&
    buffer !== input.buffer && buffer !== room.buffer;
  if (isAlone) buffer.transfer(0);
  return moved;
}

/**
 * Frees the whole buffer in which bytes lie. No one else may use any of it. The collector learns late
 * of buffers, and a loop over chunks would leave it 100 MiB of them.
 */
export function freeBytes({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= leastBytes) buffer.transfer(0);
}
