/**
 * Bit shuffle: the lowest bits of all items, then the next ones. As in c-blosc, data stays as it is where
 * the number of items is not a multiple of 8, and so do remaining bytes after the last item.
 *
 * @module
 */

/** Shuffles the bits of items. */
export function shuffleBits(items: Uint8Array, into: Uint8Array, itemBytes: number): void {
  const numItems = Math.floor(items.length / itemBytes);
  into.set(items);
  if (numItems % 8 !== 0) return;
  const rowBytes = numItems / 8;
  for (let part = 0; part < itemBytes; part++) {
    for (let row = 0; row < rowBytes; row++) {
      const first = row * 8 * itemBytes + part;
      for (let bit = 0; bit < 8; bit++) {
        let byte = 0;
        for (let i = 0; i < 8; i++) byte |= ((items[first + i * itemBytes]! >> bit) & 1) << i;
        into[(part * 8 + bit) * rowBytes + row] = byte;
      }
    }
  }
}

/** Restores the order of bits. */
export function unshuffleBits(rows: Uint8Array, into: Uint8Array, itemBytes: number): void {
  const numItems = Math.floor(rows.length / itemBytes);
  into.set(rows);
  if (numItems % 8 !== 0) return;
  const rowBytes = numItems / 8;
  for (let part = 0; part < itemBytes; part++) {
    for (let row = 0; row < rowBytes; row++) {
      const first = row * 8 * itemBytes + part;
      for (let i = 0; i < 8; i++) {
        let byte = 0;
        for (let bit = 0; bit < 8; bit++) {
          byte |= ((rows[(part * 8 + bit) * rowBytes + row]! >> i) & 1) << bit;
        }
        into[first + i * itemBytes] = byte;
      }
    }
  }
}
