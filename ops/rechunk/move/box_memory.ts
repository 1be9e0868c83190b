/**
 * The memory for the boxes of a run, reused from box to box.
 *
 * @module
 */

/** One memory. The system provides a page when it is first written. */
export class BoxMemory implements Disposable {
  #bytes = new Uint8Array(0);
  #touched = 0;

  /**
   * Returns memory of at least a length. Pages that earlier boxes wrote stay in use; where they exceed
   * `limit` bytes, the memory is freed first. Throws a RangeError if the system has no such memory.
   */
  take(length: number, limit: number): Uint8Array<ArrayBuffer> {
    if (this.#bytes.length < length || this.#touched > limit) {
      this[Symbol.dispose]();
      // Whole words, since typed arrays of numbers lie in it.
      this.#bytes = new Uint8Array(Math.ceil(length / 8) * 8);
    }
    return this.#bytes;
  }

  /** Notes that the memory is written up to a length. */
  touch(length: number): void {
    this.#touched = Math.max(this.#touched, length);
  }

  /** Frees the memory immediately rather than when it is collected. */
  [Symbol.dispose](): void {
    this.#bytes.buffer.transfer(0);
    this.#bytes = new Uint8Array(0);
    this.#touched = 0;
  }
}
