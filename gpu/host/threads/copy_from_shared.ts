/** @module */

/**
 * Copies `size` bytes of shared memory from `start` to `target` from `at`. By words: the engine's
 * own copy goes byte by byte unless both lie at the same place in a word.
 */
export function copyFromShared(
  target: Uint8Array,
  at: number,
  source: ArrayBufferLike,
  start: number,
  size: number,
): void {
  const to = new DataView(target.buffer, target.byteOffset + at, size);
  const from = new DataView(source, start, size);
  let i = 0;
  for (const last = size - 32; i <= last; i += 32) {
    to.setBigInt64(i, from.getBigInt64(i, true), true);
    to.setBigInt64(i + 8, from.getBigInt64(i + 8, true), true);
    to.setBigInt64(i + 16, from.getBigInt64(i + 16, true), true);
    to.setBigInt64(i + 24, from.getBigInt64(i + 24, true), true);
  }
  for (; i < size; i++) to.setUint8(i, from.getUint8(i));
}
