/** @module */

/** Bytes that may lie unused behind any array. */
const MAX_UNUSED_BYTES = 4096;

/** The first `length` elements of an array, copied where the rest would hold on to much memory. */
export function withoutSlack<T extends Uint8Array | Int32Array>(array: T, length: number): T {
  const used = array.subarray(0, length);
  const unused = array.byteLength - used.byteLength;
  return (unused > used.byteLength / 4 + MAX_UNUSED_BYTES ? used.slice() : used) as T;
}
