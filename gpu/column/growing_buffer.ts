/** @module */

import { bitmapBytes, writeBits } from "./bitmap.ts";

/**
 * Bytes of a block. The allocators that matter give so much back to the system as soon as it is freed;
 * smaller pieces they may keep.
 */
const BLOCK_BYTES = 32 << 20;
const LEAST_BYTES = 1 << 12;

/**
 * Bytes that grow at their end, in blocks: the first is doubled until it has 32 MiB, then more follow.
 * What is not needed any more is freed at once, not when it is collected, so that with the result no
 * more bytes are held than it has and 64 MiB.
 */
export class GrowingBuffer {
  #full: Uint8Array<ArrayBuffer>[] = [];
  #block = new Uint8Array(0);
  #used = 0;

  /** Number of bytes. */
  get length(): number {
    return this.#full.length * BLOCK_BYTES + this.#used;
  }

  append(bytes: Uint8Array): void {
    for (let start = 0; start < bytes.length;) {
      const room = this.room(bytes.length - start);
      room.set(bytes.subarray(start, start + room.length));
      start += room.length;
    }
  }

  /**
   * The place of the next bytes, which are zeros: as many as asked for, or less where a block ends. Its
   * offset in memory, and what is left of the block, are multiples of 8 if all that was asked for were.
   */
  room(numBytes: number): Uint8Array<ArrayBuffer> {
    if (this.#used === BLOCK_BYTES) {
      this.#full.push(this.#block);
      this.#block = new Uint8Array(BLOCK_BYTES);
      this.#used = 0;
    }
    const stop = Math.min(BLOCK_BYTES, this.#used + numBytes);
    if (stop > this.#block.length) {
      const capacity = Math.max(LEAST_BYTES, 2 * this.#block.length, roundedUp(stop));
      this.#block = moved([this.#block.subarray(0, this.#used)], Math.min(BLOCK_BYTES, capacity));
    }
    const room = this.#block.subarray(this.#used, stop);
    this.#used = stop;
    return room;
  }

  /** All bytes, in one piece. The buffer is empty then. */
  finish(): Uint8Array<ArrayBuffer> {
    const { length } = this;
    const parts = [...this.#full, this.#block.subarray(0, this.#used)];
    [this.#full, this.#block, this.#used] = [[], new Uint8Array(0), 0];
    return parts.length === 1 && parts[0]!.buffer.byteLength === length
      ? parts[0]!
      : moved(parts, length);
  }
}

/** The bytes of parts in a buffer of `numBytes`, which is zero behind them; each is freed once copied. */
function moved(parts: readonly Uint8Array<ArrayBuffer>[], numBytes: number) {
  // Memory that was never written takes no place yet.
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

/** Bits that grow at their end, the least significant of a byte first. */
export class GrowingBits {
  readonly #bytes = new GrowingBuffer();
  /** The bits behind the last whole byte. */
  #tail = 0;
  #length = 0;

  /** Number of bits. */
  get length(): number {
    return this.#length;
  }

  /** Adds the first bits of a bitmap. */
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

  /** All bits, zeros behind the last. Nothing may be added then. */
  finish(): Uint8Array<ArrayBuffer> {
    if ((this.#length & 7) !== 0) this.#bytes.append(Uint8Array.of(this.#tail));
    return this.#bytes.finish();
  }
}
