/**
 * Finds a body that comes so slowly that it would never end.
 *
 * @module
 */

/**
 * What a body brings at least, in bytes a second, counted over as long as nothing may come
 * (`HttpOptions.stallMs`). Less is a server that drips, or a line that is as good as broken.
 */
export const leastBytesPerSecond = 1024;

/** The pace of one body. Only the time in which it is waited for counts: a reader may take its own. */
export class Pace {
  readonly #windowMs: number;
  #waitedMs = 0;
  #numBytes = 0;

  /** `windowMs` is the time over which bytes are counted. */
  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** Notes bytes that came after some time; returns how many came in a window that had too few. */
  add(numBytes: number, waitedMs: number): number | undefined {
    this.#waitedMs += waitedMs;
    this.#numBytes += numBytes;
    if (this.#waitedMs < this.#windowMs) return undefined;
    const cameBytes = this.#numBytes;
    const isSlow = cameBytes < leastBytesPerSecond * this.#waitedMs / 1000;
    this.#waitedMs = this.#numBytes = 0;
    return isSlow ? cameBytes : undefined;
  }
}
