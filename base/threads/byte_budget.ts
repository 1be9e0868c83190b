/**
 * Bounds the bytes that a thread has sent and the other has not used yet.
 *
 * @module
 */

/**
 * A budget for bytes in flight. `take` blocks until half the budget is free, so that waits are few and
 * long.
 */
export class ByteBudget {
  readonly #mostBytes: number;
  #numBytes = 0;
  #wake: (() => void) | undefined;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Waits until `numBytes` more fit. Where nothing is in flight, any number fits. */
  async take(numBytes: number): Promise<void> {
    if (this.#numBytes > 0 && this.#numBytes + numBytes > this.#mostBytes) {
      while (this.#numBytes > 0 && 2 * this.#numBytes > this.#mostBytes) {
        await new Promise<void>((resolve) => this.#wake = resolve);
      }
    }
    this.#numBytes += numBytes;
  }

  /** Frees bytes that have arrived. */
  free(numBytes: number): void {
    this.#numBytes -= numBytes;
    this.#wake?.();
  }
}
