/**
 * Bitmaps in Arrow's layout: one bit for each row, least significant first. Positions and lengths
 * are in bits.
 *
 * Bitmaps created here have zeros after their last bit; others may have anything there.
 *
 * @module
 */

/** Returns the bytes of a bitmap of `numBits` bits. */
export function bitmapBytes(numBits: number): number {
  return Math.ceil(numBits / 8);
}

/** Returns the bit at a position, 0 or 1. */
export function bitAt(bitmap: Uint8Array, position: number): number {
  return (bitmap[position >> 3]! >> (position & 7)) & 1;
}

/** Returns a bitmap of `numBits` ones. */
export function filledBitmap(numBits: number): Uint8Array {
  const bitmap = new Uint8Array(bitmapBytes(numBits)).fill(0xff);
  clearTail(bitmap, numBits);
  return bitmap;
}

/** Copies the bits [start, stop) to bit 0 of a new bitmap. */
export function copyBitmap(source: Uint8Array, start: number, stop: number): Uint8Array {
  const bitmap = new Uint8Array(bitmapBytes(stop - start));
  writeBits(source, start, bitmap, 0, stop - start);
  return bitmap;
}

/**
 * Returns the bits [start, stop) moved to bit 0: a view if `start` falls on a byte, otherwise a
 * copy.
 */
export function sliceBitmap(source: Uint8Array, start: number, stop: number): Uint8Array {
  return (start & 7) === 0
    ? source.subarray(start >> 3, bitmapBytes(stop))
    : copyBitmap(source, start, stop);
}

/**
 * Copies `numBits` bits of `source` from bit `sourceStart` into `target` from bit `targetStart`.
 * Target bits before `targetStart` stay; those after the copied bits, up to the end of the last
 * byte written, become 0.
 */
export function writeBits(
  source: Uint8Array,
  sourceStart: number,
  target: Uint8Array,
  targetStart: number,
  numBits: number,
): void {
  if (numBits === 0) return;
  const kept = targetStart & 7;
  const firstByte = targetStart >> 3;
  const stopByte = bitmapBytes(targetStart + numBits);
  // The source bit that falls on bit 0 of the first target byte; up to 7 bits before the range.
  const origin = sourceStart - kept;
  const head = target[firstByte]! & ((1 << kept) - 1);
  if ((origin & 7) === 0) {
    const from = origin >> 3;
    target.set(source.subarray(from, from + stopByte - firstByte), firstByte);
  } else {
    const shift = origin & 7;
    let from = origin >> 3;
    for (let byte = firstByte; byte < stopByte; byte++, from++) {
      // Outside of the source the bytes are undefined, and undefined >> n is 0.
      target[byte] = (source[from]! >> shift) | (source[from + 1]! << (8 - shift));
    }
  }
  target[firstByte] = (target[firstByte]! & (0xff << kept)) | head;
  clearTail(target, targetStart + numBits);
}

/** Counts the bits [start, stop) that are 1. */
export function countSetBits(bitmap: Uint8Array, start: number, stop: number): number {
  let count = 0;
  let position = start;
  while (position < stop && (position & 7) !== 0) count += bitAt(bitmap, position++);
  const stopByte = stop >> 3;
  let byte = position >> 3;
  // Four bytes at a time; a view of words would need an aligned offset.
  for (; byte + 4 <= stopByte; byte += 4) {
    count += popCount(
      bitmap[byte]! | (bitmap[byte + 1]! << 8) | (bitmap[byte + 2]! << 16) |
        (bitmap[byte + 3]! << 24),
    );
  }
  position = Math.max(position, byte << 3);
  while (position < stop) count += bitAt(bitmap, position++);
  return count;
}

/** Returns the bits that are 1 in both. Either bitmap may be null, which stands for all ones. */
export function andBitmaps(
  left: Uint8Array | null,
  right: Uint8Array | null,
  numBits: number,
): Uint8Array | null {
  if (left === null || right === null) return left ?? right;
  const bitmap = new Uint8Array(bitmapBytes(numBits));
  for (let byte = 0; byte < bitmap.length; byte++) bitmap[byte] = left[byte]! & right[byte]!;
  clearTail(bitmap, numBits);
  return bitmap;
}

/**
 * Returns the bits at the positions of `selection`, in order; 0 if the position is -1. Without a
 * source, every other position has a 1. Without `mayMiss`, no position is -1.
 */
export function gatherBits(
  source: Uint8Array | null,
  selection: Int32Array,
  mayMiss = true,
): Uint8Array {
  const bitmap = new Uint8Array(bitmapBytes(selection.length));
  const firstPart = source === null || mayMiss ? 0 : gatherPresent(source, selection, bitmap);
  const tail = new Int32Array(8).fill(-1);
  for (let byte = firstPart; byte < bitmap.length; byte++) {
    const first = byte << 3;
    let rows = selection;
    let at = first;
    if (first + 8 > selection.length) {
      tail.set(selection.subarray(first));
      rows = tail;
      at = 0;
    }
    bitmap[byte] = source === null ? presentBits(rows, at) : selectedBits(source, rows, at);
  }
  return bitmap;
}

/** Gathers all whole bytes of positions that are not -1, and returns their number. */
function gatherPresent(source: Uint8Array, rows: Int32Array, bitmap: Uint8Array): number {
  const numBytes = rows.length >> 3;
  for (let byte = 0, at = 0; byte < numBytes; byte++) {
    let bits = 0;
    for (let bit = 0; bit < 8; bit++, at++) {
      const row = rows[at]!;
      bits |= ((source[row >> 3]! >> (row & 7)) & 1) << bit;
    }
    bitmap[byte] = bits;
  }
  return numBytes;
}

/** Returns one bit for each of eight positions: whether it is not -1. */
function presentBits(rows: Int32Array, at: number): number {
  let bits = 0;
  for (let bit = 0; bit < 8; bit++) bits |= (~rows[at + bit]! >>> 31) << bit;
  return bits;
}

/** Returns the source's bits at eight positions; 0 if the position is -1. */
function selectedBits(source: Uint8Array, rows: Int32Array, at: number): number {
  let bits = 0;
  for (let bit = 0; bit < 8; bit++) {
    const row = rows[at + bit]!;
    const present = ~row >>> 31;
    // A missing row reads bit 0, which `present` then clears; an empty source yields 0.
    const position = row & -present;
    bits |= ((source[position >> 3]! >> (position & 7)) & present) << bit;
  }
  return bits;
}

/** Counts the ones of a 32-bit word, by the usual halving sums. */
function popCount(word: number): number {
  let sums = word - ((word >>> 1) & 0x55555555);
  sums = (sums & 0x33333333) + ((sums >>> 2) & 0x33333333);
  sums = (sums + (sums >>> 4)) & 0x0f0f0f0f;
  return Math.imul(sums, 0x01010101) >>> 24;
}

/** Clears the bits of the last byte after `numBits`. */
export function clearTail(bitmap: Uint8Array, numBits: number): void {
  const used = numBits & 7;
  if (used !== 0) bitmap[numBits >> 3]! &= (1 << used) - 1;
}
