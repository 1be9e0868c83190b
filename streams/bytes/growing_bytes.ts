/**
 * A growing byte buffer, for values larger than one read.
 *
 * @module
 */

import type { FileInput } from "./file_input.ts";

/**
 * A byte buffer that doubles when it is full. Old buffers are freed immediately instead of by garbage
 * collection: otherwise several copies of a value of hundreds of megabytes would be in memory.
 */
export class GrowingBytes {
  #buffer: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** A view on the bytes, valid until more are added or they are freed. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(0, this.#length);
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Appends the next bytes of an input; returns their number, less than requested only at its end. */
  async fill(input: FileInput, numBytes: number): Promise<number> {
    if ((await input.peek(1)).length === 0) return 0;
    this.#reserve(numBytes);
    const target = this.#buffer.subarray(this.#length, this.#length + numBytes);
    let filled = 0;
    for (let count = -1; count !== 0 && filled < numBytes; filled += count) {
      count = await input.readInto(target.subarray(filled));
    }
    this.#length += filled;
    return filled;
  }

  /** Frees the memory; views on it become empty. */
  free(): void {
    free(this.#buffer);
    this.#buffer = new Uint8Array(0);
    this.#length = 0;
  }

  #reserve(numBytes: number): void {
    const needed = this.#length + numBytes;
    if (needed <= this.#buffer.length) return;
    const old = this.#buffer;
    // Memory that is never written costs nothing.
    this.#buffer = new Uint8Array(Math.max(needed, 2 * old.length));
    this.#buffer.set(old.subarray(0, this.#length));
    free(old);
  }
}

/** Detaches the buffer, which frees its memory. */
function free({ buffer }: Uint8Array<ArrayBuffer>): void {
  buffer.transfer(0);
}
