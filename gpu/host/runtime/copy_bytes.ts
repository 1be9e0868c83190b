/**
 * Copies bytes for kernels.
 *
 * @module
 */

/**
 * The bytes from which a copy by words of 8 bytes pays, and from which the engine's own copy is
 * faster.
 */
const MIN_WORDS = 8;
const MIN_SET = 400;

/**
 * Copies `size` bytes of `source` from `start` to `target` from `at`, by words of 8 bytes; the last
 * one may overlap the one before it. Copies nothing if the bytes do not fit into `target`: the
 * caller notices that, and copies again after growing it.
 */
export function copyBytes(
  target: DataView,
  at: number,
  source: DataView,
  start: number,
  size: number,
): void {
  if (at + size > target.byteLength) return;
  if (size >= MIN_SET) {
    const to = new Uint8Array(target.buffer, target.byteOffset + at, size);
    to.set(new Uint8Array(source.buffer, source.byteOffset + start, size));
    return;
  }
  if (size < MIN_WORDS) {
    for (let i = 0; i < size; i++) target.setUint8(at + i, source.getUint8(start + i));
    return;
  }
  const last = size - 8;
  for (let i = 0; i < last; i += 8) {
    target.setBigInt64(at + i, source.getBigInt64(start + i, true), true);
  }
  target.setBigInt64(at + last, source.getBigInt64(start + last, true), true);
}

/** Returns a view of bytes that can read words from anywhere. */
export function viewBytes(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
