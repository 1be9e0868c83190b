/** Bytes from which the engine's own copy is faster, the objects that it needs included. */
const MIN_SET = 400;

/** Bytes and a view on the same bytes. */
export interface BytesView {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

/** Makes a view on bytes. */
export function viewBytes(bytes: Uint8Array): BytesView {
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
}

/**
 * Copies `source[start, stop)`, at least 8 bytes, to `target` from `at`: by words of 8 bytes, of
 * which the last one overlaps the one before it. What does not fit into `target` is left out: the
 * caller notices that it does not fit, and copies again after growing.
 */
export function copyBytes(
  target: BytesView,
  at: number,
  source: BytesView,
  start: number,
  stop: number,
): void {
  if (at + stop - start > target.bytes.length) return;
  if (stop - start >= MIN_SET) {
    target.bytes.set(source.bytes.subarray(start, stop), at);
    return;
  }
  const from = source.view;
  const to = target.view;
  const last = stop - 8;
  const lastAt = at + last - start;
  for (let i = start, j = at; i < last; i += 8, j += 8) {
    to.setBigInt64(j, from.getBigInt64(i, true), true);
  }
  to.setBigInt64(lastAt, from.getBigInt64(last, true), true);
}
