/**
 * Fills memory with one item.
 *
 * @module
 */

/** Writes an item again and again, until the end of what is a whole number of items. */
export function repeatItem(into: Uint8Array, item: Uint8Array): void {
  if (item.every((byte) => byte === item[0])) return void into.fill(item[0]!);
  into.set(item.subarray(0, into.length));
  for (let filled = item.length; filled < into.length; filled *= 2) {
    into.copyWithin(filled, 0, Math.min(filled, into.length - filled));
  }
}
