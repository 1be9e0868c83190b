/** @module */

/**
 * Bytes that may be on their way. One who takes more waits until half of them are freed, so that there
 * are few and long waits.
 */
export class Room {
  readonly #mostBytes: number;
  #numBytes = 0;
  #wake: (() => void) | undefined;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Waits until there is room for so many bytes more; where none are on their way there always is. */
  async take(numBytes: number): Promise<void> {
    if (this.#numBytes > 0 && this.#numBytes + numBytes > this.#mostBytes) {
      while (this.#numBytes > 0 && 2 * this.#numBytes > this.#mostBytes) {
        await new Promise<void>((resolve) => this.#wake = resolve);
      }
    }
    this.#numBytes += numBytes;
  }

  /** Bytes that have arrived. */
  free(numBytes: number): void {
    this.#numBytes -= numBytes;
    this.#wake?.();
  }
}
