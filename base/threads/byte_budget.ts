/**
 * Bounds the bytes that one thread has sent and another has not used yet.
 *
 * @module
 */

/**
 * A budget for bytes in flight. Once it is exhausted, `take` blocks until half of it is free, so that waits
 * are few and long.
 */
export class ByteBudget {
  readonly #mostBytes: number;
  #numBytes = 0;
  #wake: (() => void) | undefined;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Takes `numBytes`, once they fit. If nothing is in flight, any number fits. */
  async take(numBytes: number): Promise<void> {
    if (this.#numBytes > 0 && this.#numBytes + numBytes > this.#mostBytes) {
      while (this.#numBytes > 0 && 2 * this.#numBytes > this.#mostBytes) {
        await new Promise<void>((resolve) => this.#wake = resolve);
      }
    }
    this.#numBytes += numBytes;
  }

  /** Returns bytes to the budget that the other thread has used. */
  free(numBytes: number): void {
    this.#numBytes -= numBytes;
    this.#wake?.();
  }
}
