/**
 * Bytes of what is larger than a read, in one piece of memory.
 *
 * @module
 */

import type { FileInput } from "./file_input.ts";

/**
 * Bytes that grow at their end. The memory doubles where it is too small, and what is left is given
 * back at once, not when garbage is collected: of a value of some hundred megabytes there would
 * otherwise be several in memory.
 */
export class GrowingBytes {
  #buffer: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  #length = 0;

  /** How many bytes there are. */
  get length(): number {
    return this.#length;
  }

  /** The bytes, until more are added or they are freed. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(0, this.#length);
  }

  /** Adds bytes. */
  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Adds the next bytes of an input; gives their number, less than asked for only at its end. */
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

  /** Drops the bytes and gives back their memory; views on it have no bytes from now on. */
  free(): void {
    free(this.#buffer);
    this.#buffer = new Uint8Array(0);
    this.#length = 0;
  }

  #reserve(numBytes: number): void {
    const needed = this.#length + numBytes;
    if (needed <= this.#buffer.length) return;
    const old = this.#buffer;
    // Memory that was never written to costs nothing.
    this.#buffer = new Uint8Array(Math.max(needed, 2 * old.length));
    this.#buffer.set(old.subarray(0, this.#length));
    free(old);
  }
}

/** Detaches the memory, which frees it. */
function free({ buffer }: Uint8Array<ArrayBuffer>): void {
  buffer.transfer(0);
}

/** Copies pieces into one piece of memory; the piece itself where there is one. */
export function joinBytes<Bytes extends Uint8Array>(
  pieces: readonly Bytes[],
): Bytes | Uint8Array<ArrayBuffer> {
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) return only;
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let position = 0;
  for (const piece of pieces) {
    bytes.set(piece, position);
    position += piece.length;
  }
  return bytes;
}
