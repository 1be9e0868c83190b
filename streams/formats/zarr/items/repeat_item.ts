/**
 * Fills memory with one item.
 *
 * @module
 */

/** Repeats an item until memory is full, which must have a multiple of its size. */
export function repeatItem(into: Uint8Array, item: Uint8Array): void {
  if (item.every((byte) => byte === item[0])) return void into.fill(item[0]!);
  into.set(item.subarray(0, into.length));
  for (let filled = item.length; filled < into.length; filled *= 2) {
    into.copyWithin(filled, 0, Math.min(filled, into.length - filled));
  }
}
