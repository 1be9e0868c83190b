/**
 * Copies of bytes that kernels make.
 *
 * @module
 */

/** Bytes from which a copy is worth words of 8 bytes, and from which the engine's own is faster. */
const MIN_WORDS = 8;
const MIN_SET = 400;

/**
 * Copies `size` bytes of `source` from `start` to `target` from `at`: by words of 8 bytes, of which
 * the last one overlaps the one before it. What does not fit into `target` is left out: the caller
 * notices that it does not fit, and copies again after growing.
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

/** A view on bytes that reads words from anywhere. */
export function viewBytes(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
