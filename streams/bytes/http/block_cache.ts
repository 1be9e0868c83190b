/**
 * Blocks of a remote file that were read, for reads nearby or again.
 *
 * @module
 */

/** The number of bytes of a block; the last block of a file may have fewer. */
export const blockBytes = 64 << 10;

/** Keeps the blocks of 64 KiB that were used last. */
export class BlockCache {
  readonly #most: number;
  /** The blocks by their index, the one used last at the end. */
  readonly #blocks = new Map<number, Uint8Array<ArrayBuffer>>();

  /** Keeps at most `mostBytes`; default: 16 MiB. */
  constructor(mostBytes = 16 << 20) {
    this.#most = Math.floor(mostBytes / blockBytes);
  }

  /** Returns the bytes from `position` to the end of the block; undefined if it has none. */
  from(position: number): Uint8Array<ArrayBuffer> | undefined {
    const index = Math.floor(position / blockBytes);
    const block = this.#blocks.get(index);
    if (block === undefined) return undefined;
    this.#blocks.delete(index);
    this.#blocks.set(index, block);
    const rest = block.subarray(position - index * blockBytes);
    return rest.length === 0 ? undefined : rest;
  }

  /** Keeps copies of the whole blocks within bytes at `start` of a file of `fileBytes` bytes. */
  keep(start: number, bytes: Uint8Array, fileBytes: number): void {
    const stop = start + bytes.length;
    for (let index = Math.ceil(start / blockBytes); index * blockBytes < stop; index++) {
      const from = index * blockBytes;
      const to = Math.min(from + blockBytes, fileBytes);
      if (to > stop) return;
      this.#blocks.delete(index);
      this.#blocks.set(index, bytes.slice(from - start, to - start));
      if (this.#blocks.size > this.#most) this.#blocks.delete(this.#blocks.keys().next().value!);
    }
  }
}
