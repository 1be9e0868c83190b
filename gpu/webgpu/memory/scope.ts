/**
 * Owners of device memory within one operation.
 *
 * @module
 */

/** Something with an owner. */
interface Releasable {
  release(): void;
}

/**
 * Releases what it owns at the end of a block: `using scope = new Scope()`. `keep` hands complete
 * results over to the caller.
 */
export class Scope implements Disposable {
  readonly #owned: Releasable[] = [];

  /** Owns a value, and returns it. */
  own<T extends Releasable>(value: T): T {
    this.#owned.push(value);
    return value;
  }

  /** Disowns one value without releasing it, and returns it. */
  disown<T extends Releasable>(value: T): T {
    this.#owned.splice(this.#owned.lastIndexOf(value), 1);
    return value;
  }

  /** Moves everything to another owner. */
  moveTo(other: Scope): void {
    for (const value of this.#owned.splice(0)) other.own(value);
  }

  /** Disowns everything without releasing it: the caller owns it now. */
  keep(): void {
    this.#owned.length = 0;
  }

  [Symbol.dispose](): void {
    for (const value of this.#owned.splice(0)) value.release();
  }
}
