/**
 * The memory of the boxes of a run, one after the other.
 *
 * @module
 */

/** One memory; the system provides a page when something is first written to it. */
export class HeldMemory implements Disposable {
  #bytes = new Uint8Array(0);
  #touched = 0;

  /**
   * Memory of some length. What was written to it before takes room until then; where that would be
   * more than `limit` bytes, it is given back first. Throws a RangeError where there is no such memory.
   */
  take(length: number, limit: number): Uint8Array<ArrayBuffer> {
    if (this.#bytes.length < length || this.#touched > limit) {
      this[Symbol.dispose]();
      // Whole words, for the numbers that lie in it.
      this.#bytes = new Uint8Array(Math.ceil(length / 8) * 8);
    }
    return this.#bytes;
  }

  /** Notes up to where it was written. */
  touch(length: number): void {
    this.#touched = Math.max(this.#touched, length);
  }

  /** Frees the memory immediately, before the collector would. */
  [Symbol.dispose](): void {
    this.#bytes.buffer.transfer(0);
    this.#bytes = new Uint8Array(0);
    this.#touched = 0;
  }
}
