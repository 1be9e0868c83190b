/**
 * Reads Parquet's hybrid of runs and bit-packed integers, the encoding of definition levels and
 * dictionary indices.
 *
 * Format: https://parquet.apache.org/docs/file-format/data-pages/encodings/#RLE
 *
 * @module
 */

import { DamagedPageError } from "../../../../base/errors/data_error.ts";

/** Reads integers of at most 32 bits from front to back. Integers in between may be skipped. */
export class HybridReader {
  readonly #bytes: Uint8Array;
  readonly #bitWidth: number;
  #position = 0;
  /** The current run has the integers [start, stop). */
  #start = 0;
  #stop = 0;
  /** The value of the run; undefined if its integers are packed, from byte `#packed` on. */
  #value: number | undefined;
  #packed = 0;
  /** The number of ones before the run, if integers have one bit. */
  #onesBefore = 0;

  constructor(bytes: Uint8Array, bitWidth: number) {
    if (bitWidth > 32) throw new DamagedPageError(`integers of ${bitWidth} bits`);
    this.#bytes = bytes;
    this.#bitWidth = bitWidth;
  }

  /** Returns the integer at an index, which must not precede the last one. */
  at(index: number): number {
    this.#seek(index);
    return this.#value ?? this.#unpack(index - this.#start);
  }

  /** Returns the number of ones before an index. Integers must have one bit. */
  onesBefore(index: number): number {
    this.#seek(index);
    return this.#onesBefore + this.#ones(index - this.#start);
  }

  /** Moves to the run that contains an index. */
  #seek(index: number): void {
    while (index >= this.#stop) {
      if (this.#bitWidth === 1) this.#onesBefore += this.#ones(this.#stop - this.#start);
      this.#start = this.#stop;
      this.#open();
    }
  }

  #open(): void {
    const header = this.#varint();
    const bitWidth = this.#bitWidth;
    if ((header & 1) === 1) {
      const numGroups = header >>> 1;
      this.#value = undefined;
      this.#packed = this.#position;
      this.#position += numGroups * bitWidth;
      this.#stop = this.#start + 8 * numGroups;
      // A writer may omit trailing bytes that no integer needs.
      if (this.#packed >= this.#bytes.length && bitWidth > 0) throw new DamagedPageError("levels");
    } else {
      const numBytes = Math.ceil(bitWidth / 8);
      if (this.#position + numBytes > this.#bytes.length) throw new DamagedPageError("levels");
      let value = 0;
      for (let i = 0; i < numBytes; i++) value += this.#bytes[this.#position + i]! * 256 ** i;
      this.#value = value;
      this.#position += numBytes;
      this.#stop = this.#start + (header >>> 1);
    }
    if (this.#stop === this.#start && this.#position >= this.#bytes.length) {
      throw new DamagedPageError("levels");
    }
  }

  #unpack(index: number): number {
    const bitWidth = this.#bitWidth;
    let bit = index * bitWidth;
    let value = 0;
    for (let have = 0; have < bitWidth;) {
      const byte = this.#bytes[this.#packed + (bit >>> 3)];
      if (byte === undefined) throw new DamagedPageError("levels");
      const shift = bit & 7;
      const count = Math.min(8 - shift, bitWidth - have);
      value += (byte >> shift & (1 << count) - 1) * 2 ** have;
      have += count;
      bit += count;
    }
    return value;
  }

  /** Counts the ones among the first `count` integers of the run. */
  #ones(count: number): number {
    if (this.#value !== undefined) return this.#value === 0 ? 0 : count;
    let ones = 0;
    const whole = count >>> 3;
    for (let i = 0; i < whole; i++) ones += onesOf(this.#bytes[this.#packed + i] ?? 0);
    const rest = count & 7;
    if (rest > 0) ones += onesOf((this.#bytes[this.#packed + whole] ?? 0) & (1 << rest) - 1);
    return ones;
  }

  #varint(): number {
    let value = 0;
    for (let scale = 1; scale <= 2 ** 28; scale *= 128) {
      const byte = this.#bytes[this.#position++];
      if (byte === undefined) break;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
    throw new DamagedPageError("levels");
  }
}

function onesOf(byte: number): number {
  let ones = byte - (byte >> 1 & 0x55);
  ones = (ones & 0x33) + (ones >> 2 & 0x33);
  return ones + (ones >> 4) & 15;
}
