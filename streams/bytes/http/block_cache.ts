/**
 * Blocks of a remote file that were read, for who reads near by, or again.
 *
 * @module
 */

/** Bytes of a block; the last one of a file may have fewer. */
export const blockBytes = 64 << 10;

/** Blocks of 64 KiB, of which those that were used last are kept. */
export class BlockCache {
  readonly #most: number;
  /** The blocks by their index, the one used last at the end. */
  readonly #blocks = new Map<number, Uint8Array<ArrayBuffer>>();

  /** Keeps at most `mostBytes`: 16 MiB unless told. */
  constructor(mostBytes = 16 << 20) {
    this.#most = Math.floor(mostBytes / blockBytes);
  }

  /** The bytes that it has from `position` to the end of the block; undefined if it has none. */
  from(position: number): Uint8Array<ArrayBuffer> | undefined {
    const index = Math.floor(position / blockBytes);
    const block = this.#blocks.get(index);
    if (block === undefined) return undefined;
    this.#blocks.delete(index);
    this.#blocks.set(index, block);
    const rest = block.subarray(position - index * blockBytes);
    return rest.length === 0 ? undefined : rest;
  }

  /** Keeps copies of the whole blocks within bytes that lie at `start` of a file of `fileBytes`. */
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
