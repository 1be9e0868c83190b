/**
 * A budget of bytes: how much may be in flight at once.
 *
 * @module
 */

interface Waiter {
  readonly numBytes: number;
  readonly grant: () => void;
  readonly refuse: (reason: unknown) => void;
}

/**
 * A counting semaphore over bytes. Who needs memory acquires its bytes first and releases them
 * after use; a request that does not fit waits, first come first served. A request larger than
 * the whole budget is granted when nothing else is held, so it can never wait for ever.
 */
export class ByteBudget {
  /** Bytes that may be held at once. */
  readonly limit: number;
  #held = 0;
  #peak = 0;
  readonly #waiters: Waiter[] = [];

  constructor(limit: number) {
    if (!(limit > 0)) throw new RangeError(`A budget must be positive, but is ${limit}`);
    this.limit = limit;
  }

  /** Bytes held now. */
  get held(): number {
    return this.#held;
  }

  /** The most bytes that were ever held at once. */
  get peak(): number {
    return this.#peak;
  }

  /** Waits until the bytes fit and holds them. An aborted signal rejects with its reason. */
  async acquire(numBytes: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.#waiters.length === 0 && this.#fits(numBytes)) {
      this.#hold(numBytes);
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { numBytes, grant: resolve, refuse: reject };
    this.#waiters.push(waiter);
    const abort = () => this.#withdraw(waiter, signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    try {
      await promise;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  /** Gives bytes back that were acquired. */
  release(numBytes: number): void {
    if (numBytes > this.#held) {
      throw new RangeError(`Cannot release ${numBytes} bytes of ${this.#held} held`);
    }
    this.#held -= numBytes;
    this.#grantWaiters();
  }

  #fits(numBytes: number): boolean {
    return this.#held === 0 || this.#held + numBytes <= this.limit;
  }

  #hold(numBytes: number): void {
    this.#held += numBytes;
    this.#peak = Math.max(this.#peak, this.#held);
  }

  #withdraw(waiter: Waiter, reason: unknown): void {
    const index = this.#waiters.indexOf(waiter);
    if (index < 0) return;
    this.#waiters.splice(index, 1);
    waiter.refuse(reason);
    this.#grantWaiters();
  }

  #grantWaiters(): void {
    for (let first = this.#waiters[0]; first !== undefined; first = this.#waiters[0]) {
      if (!this.#fits(first.numBytes)) return;
      this.#waiters.shift();
      this.#hold(first.numBytes);
      first.grant();
    }
  }
}
