/**
 * Buffers of bytes and bits that grow in blocks.
 *
 * @module
 */

import { bitmapBytes, writeBits } from "./bitmap.ts";

/**
 * The bytes of a block. Common allocators return so large a block to the system as soon as it is
 * freed; smaller ones they may keep.
 */
const BLOCK_BYTES = 32 << 20;
const LEAST_BYTES = 1 << 12;
/**
 * The growth of a block. It is large, since memory costs nothing until it is written, but a copy
 * does.
 */
const GROWTH = 16;

/**
 * Bytes that grow at their end: first in the space reserved for the expected bytes, then in blocks
 * of 32 MiB. `finish` frees each block as soon as it is copied, without waiting for garbage
 * collection, so that no more memory is in use than the result and 64 MiB.
 */
export class GrowingBuffer {
  #full: Uint8Array<ArrayBuffer>[] = [];
  #fullBytes = 0;
  #block: Uint8Array<ArrayBuffer>;
  #used = 0;
  readonly #reserved: number;

  /** Reserves space for bytes, which should not be many more than will come. */
  constructor(reserved = 0) {
    this.#reserved = roundedUp(reserved);
    this.#block = new Uint8Array(this.#reserved);
  }

  /** The number of bytes. */
  get length(): number {
    return this.#fullBytes + this.#used;
  }

  append(bytes: Uint8Array): void {
    const stop = this.#used + bytes.length;
    if (stop <= this.#block.length) {
      this.#block.set(bytes, this.#used);
      this.#used = stop;
      return;
    }
    for (let start = 0; start < bytes.length;) {
      const space = this.reserve(bytes.length - start);
      space.set(bytes.subarray(start, start + space.length));
      start += space.length;
    }
  }

  /**
   * Returns the space for the next bytes, which are zeros: `numBytes`, or fewer where a block ends.
   * Its offset, and the rest of the block, are multiples of 8 if all sizes so far were.
   */
  reserve(numBytes: number): Uint8Array<ArrayBuffer> {
    const most = Math.max(BLOCK_BYTES, this.#block.length);
    if (this.#used === most) {
      this.#full.push(this.#block);
      this.#fullBytes += this.#used;
      this.#block = new Uint8Array(BLOCK_BYTES);
      this.#used = 0;
      return this.reserve(numBytes);
    }
    const stop = Math.min(most, this.#used + numBytes);
    if (stop > this.#block.length) {
      const capacity = Math.max(LEAST_BYTES, GROWTH * roundedUp(stop));
      this.#block = moved([this.#block.subarray(0, this.#used)], Math.min(BLOCK_BYTES, capacity));
    }
    const space = this.#block.subarray(this.#used, stop);
    this.#used = stop;
    return space;
  }

  /**
   * Returns all bytes in one array. If they fit the reserved space, its unused end stays after
   * them.
   */
  finish(): Uint8Array<ArrayBuffer> {
    const { length } = this;
    const last = this.#block.subarray(0, this.#used);
    const isInPlace = this.#full.length === 0 &&
      (this.#reserved > 0 || length === this.#block.length);
    const parts = [...this.#full, last];
    [this.#full, this.#fullBytes, this.#block, this.#used] = [[], 0, new Uint8Array(0), 0];
    return isInPlace ? last : moved(parts, length);
  }
}

/**
 * Moves parts into a buffer of `numBytes`, which is zero after them; frees each part once it is
 * copied.
 */
function moved(parts: readonly Uint8Array<ArrayBuffer>[], numBytes: number) {
  // Memory that was never written costs nothing yet.
  const bytes = new Uint8Array(numBytes);
  let position = 0;
  for (const part of parts) {
    bytes.set(part, position);
    position += part.length;
    part.buffer.transfer(0);
  }
  return bytes;
}

function roundedUp(numBytes: number): number {
  return Math.ceil(numBytes / 64) * 64;
}

/** Bits that grow at their end, the least significant bit of a byte first. */
export class GrowingBits {
  readonly #bytes = new GrowingBuffer();
  /** The bits after the last whole byte. */
  #tail = 0;
  #length = 0;

  /** The number of bits. */
  get length(): number {
    return this.#length;
  }

  /** Appends the first bits of a bitmap. */
  append(bits: Uint8Array, numBits: number): void {
    const kept = this.#length & 7;
    const shifted = new Uint8Array(bitmapBytes(kept + numBits) + 1);
    shifted[0] = this.#tail;
    writeBits(bits, 0, shifted, kept, numBits);
    const wholeBytes = (kept + numBits) >> 3;
    this.#bytes.append(shifted.subarray(0, wholeBytes));
    this.#tail = shifted[wholeBytes]!;
    this.#length += numBits;
  }

  /** Returns all bits, with zeros after the last. Nothing may be added afterwards. */
  finish(): Uint8Array<ArrayBuffer> {
    if ((this.#length & 7) !== 0) this.#bytes.append(Uint8Array.of(this.#tail));
    return this.#bytes.finish();
  }
}
