/**
 * Decides which request gets device memory next. It only counts bytes; `buffer_pool.ts` has the
 * buffers.
 *
 * Batches in flight share a budget. A request that does not fit waits, but not forever: the oldest
 * batch with a running operation may overdraw the budget, since it cannot free anything before it
 * is done. So the memory in use is at most the budget plus the needs of one batch, and batches
 * finish in the order in which they began.
 *
 * @module
 */

// Captured before a program can replace them by fake timers.
const { clearTimeout, setTimeout } = globalThis;

interface Request {
  readonly batch: number;
  readonly bytes: number;
  grant(): void;
  reject(reason: Error): void;
}

/** A budget of bytes that batches share. */
export class MemoryBudget {
  readonly #budgetBytes: number;
  /** The number of running operations of each batch. */
  readonly #running = new Map<number, number>();
  /** Oldest batch first; the requests of one batch in the order in which they came. */
  readonly #waiting: Request[] = [];
  #inUseBytes = 0;
  #peakBytes = 0;
  #overdraft: ReturnType<typeof setTimeout> | null = null;

  constructor(budgetBytes: number) {
    this.#budgetBytes = budgetBytes;
  }

  get budgetBytes(): number {
    return this.#budgetBytes;
  }

  get inUseBytes(): number {
    return this.#inUseBytes;
  }

  /** The most bytes that were ever in use at the same time. */
  get peakBytes(): number {
    return this.#peakBytes;
  }

  /** Registers a running operation of a batch; smaller numbers are older. */
  begin(batch: number): void {
    this.#running.set(batch, (this.#running.get(batch) ?? 0) + 1);
  }

  /** Unregisters a running operation of a batch. */
  end(batch: number): void {
    const left = (this.#running.get(batch) ?? 0) - 1;
    if (left > 0) this.#running.set(batch, left);
    else this.#running.delete(batch);
    this.#scheduleOverdraft();
  }

  /** Reserves bytes for a batch; waits while other requests come first. */
  reserve(batch: number, bytes: number): Promise<void> {
    if (this.#waiting.length === 0 && this.#fits(bytes)) {
      this.#take(bytes);
      return Promise.resolve();
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const grant = () => {
      this.#take(bytes);
      resolve();
    };
    const behind = this.#waiting.findIndex((other) => other.batch > batch);
    const at = behind < 0 ? this.#waiting.length : behind;
    this.#waiting.splice(at, 0, { batch, bytes, grant, reject });
    this.#grantWhatFits();
    return promise;
  }

  /** Frees reserved bytes. */
  free(bytes: number): void {
    this.#inUseBytes -= bytes;
    this.#grantWhatFits();
  }

  /** Rejects the waiting requests. */
  giveUp(reason: Error): void {
    if (this.#overdraft !== null) clearTimeout(this.#overdraft);
    this.#overdraft = null;
    for (const { reject } of this.#waiting.splice(0)) reject(reason);
  }

  #fits(bytes: number): boolean {
    return this.#inUseBytes === 0 || this.#inUseBytes + bytes <= this.#budgetBytes;
  }

  #take(bytes: number): void {
    this.#inUseBytes += bytes;
    this.#peakBytes = Math.max(this.#peakBytes, this.#inUseBytes);
  }

  /** Grants requests in order; otherwise a large one could wait forever. */
  #grantWhatFits(): void {
    while (this.#waiting.length > 0 && this.#fits(this.#waiting[0]!.bytes)) {
      this.#waiting.shift()!.grant();
    }
    this.#scheduleOverdraft();
  }

  /**
   * Grants an overdraft in a later turn of the event loop: an older batch may be between two
   * operations now, and start the next one by then.
   */
  #scheduleOverdraft(): void {
    if (this.#waiting.length === 0 || this.#overdraft !== null) return;
    this.#overdraft = setTimeout(() => {
      this.#overdraft = null;
      const oldest = Math.min(...this.#running.keys());
      const first = this.#waiting[0];
      if (first !== undefined && first.batch <= oldest) {
        this.#waiting.shift();
        first.grant();
        this.#grantWhatFits();
      }
    });
  }
}
