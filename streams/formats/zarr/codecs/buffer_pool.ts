/**
 * A pool of buffers. Codecs reuse them, since the garbage collector frees buffers late.
 *
 * @module
 */

/** Keeps unused buffers by size. */
export class BufferPool {
  readonly #free = new Map<number, Uint8Array<ArrayBuffer>[]>();

  /** Calls `work` with a function that takes buffers of a size; they are valid until `work` ends. */
  async use<T>(work: (take: (numBytes: number) => Uint8Array) => Promise<T>): Promise<T> {
    const taken: Uint8Array<ArrayBuffer>[] = [];
    const take = (numBytes: number) => {
      const buffer = this.#free.get(numBytes)?.pop() ?? new Uint8Array(numBytes);
      taken.push(buffer);
      return buffer;
    };
    try {
      return await work(take);
    } finally {
      for (const buffer of taken) this.#keep(buffer);
    }
  }

  #keep(buffer: Uint8Array<ArrayBuffer>): void {
    const others = this.#free.get(buffer.length);
    if (others === undefined) this.#free.set(buffer.length, [buffer]);
    else others.push(buffer);
  }
}
