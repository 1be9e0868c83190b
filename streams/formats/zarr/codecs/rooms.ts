/**
 * Buffers that are used again and again: what the collector frees, it frees late.
 *
 * @module
 */

/** Buffers by their size, of which those that nobody uses are kept. */
export class Rooms {
  readonly #free = new Map<number, Uint8Array<ArrayBuffer>[]>();

  /** Calls with a function that gives buffers of a size; they hold until the promise is fulfilled. */
  async use<T>(work: (take: (numBytes: number) => Uint8Array) => Promise<T>): Promise<T> {
    const taken: Uint8Array<ArrayBuffer>[] = [];
    const take = (numBytes: number) => {
      const room = this.#free.get(numBytes)?.pop() ?? new Uint8Array(numBytes);
      taken.push(room);
      return room;
    };
    try {
      return await work(take);
    } finally {
      for (const room of taken) this.#give(room);
    }
  }

  #give(room: Uint8Array<ArrayBuffer>): void {
    const others = this.#free.get(room.length);
    if (others === undefined) this.#free.set(room.length, [room]);
    else others.push(room);
  }
}
