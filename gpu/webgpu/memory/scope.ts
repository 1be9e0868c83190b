/**
 * Owners of device memory within one operation.
 *
 * @module
 */

/** Something that can be given back. */
interface Releasable {
  release(): void;
}

/**
 * Releases what it owns at the end of a block: `using scope = new Scope()`. Results that are
 * complete leave it by `keep`.
 */
export class Scope implements Disposable {
  readonly #owned: Releasable[] = [];

  /** Becomes the owner of something, and returns it. */
  own<T extends Releasable>(value: T): T {
    this.#owned.push(value);
    return value;
  }

  /** Gives up one thing without releasing it, and returns it. */
  give<T extends Releasable>(value: T): T {
    this.#owned.splice(this.#owned.lastIndexOf(value), 1);
    return value;
  }

  /** Gives everything to another owner. */
  moveTo(other: Scope): void {
    for (const value of this.#owned.splice(0)) other.own(value);
  }

  /** Gives up everything without releasing it: the caller owns it now. */
  keep(): void {
    this.#owned.length = 0;
  }

  [Symbol.dispose](): void {
    for (const value of this.#owned.splice(0)) value.release();
  }
}
