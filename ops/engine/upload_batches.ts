/**
 * Joins small batches before they go to a device, where each batch costs dispatches and a wait.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import { type Batch, concatBatches } from "../batch/batch.ts";

/**
 * The bytes up to which batches are joined. A batch of half the size goes alone, since copying it
 * would gain little.
 */
export const JOINED_BYTES = 32 << 20;

/** The time that rows are buffered while nothing arrives, and the longest time, in milliseconds. */
const MAX_PAUSE_MS = 20;
const MAX_WAIT_MS = 100;

// Captured, so that fake timers of a program do not replace them.
const { clearTimeout, setTimeout } = globalThis;

/**
 * Joins the batches of `input`, which are on the host, to batches of at most `mostBytes`; large
 * ones pass unchanged. It buffers about as many bytes as it has yielded: the first batches pass one
 * by one, so that a consumer of few rows does not drain the source. It yields buffered rows when
 * the source pauses, and before it passes on the source's failure.
 */
export async function* uploadBatches(
  input: AsyncIterator<Batch, void, void>,
  schema: Schema,
  mostBytes: number,
): AsyncGenerator<Batch, void, void> {
  const buffer = new BatchBuffer(schema, mostBytes);
  let arriving: Promise<IteratorResult<Batch, void>> | undefined;
  try {
    for (;;) {
      arriving = input.next();
      // A failure is either awaited below or irrelevant.
      arriving.catch(() => {});
      if (!buffer.isEmpty && !await buffer.isInTime(arriving)) yield buffer.take();
      const next: IteratorResult<Batch, void> = await arriving;
      arriving = undefined;
      if (next.done) break;
      const before = buffer.fits(next.value) ? undefined : buffer.take();
      buffer.push(next.value);
      if (before !== undefined) yield before;
      if (buffer.isFull) yield buffer.take();
    }
    if (!buffer.isEmpty) yield buffer.take();
  } catch (error) {
    if (!buffer.isEmpty) yield buffer.take();
    throw error;
  } finally {
    buffer.release();
    await arriving?.then((next) => next.done ? undefined : next.value.release(), () => {});
    await input.return?.();
  }
}

/** Batches that wait for more. */
class BatchBuffer {
  readonly #schema: Schema;
  readonly #mostBytes: number;
  #batches: Batch[] = [];
  #numBytes = 0;
  #yieldedBytes = 0;
  #since = 0;

  constructor(schema: Schema, mostBytes: number) {
    this.#schema = schema;
    this.#mostBytes = mostBytes;
  }

  get isEmpty(): boolean {
    return this.#batches.length === 0;
  }

  /** Whether enough rows are buffered. */
  get isFull(): boolean {
    return 2 * this.#numBytes >= Math.min(this.#mostBytes, 2 * this.#yieldedBytes);
  }

  /** Whether a batch may be joined with the buffered ones. */
  fits({ numBytes }: Batch): boolean {
    return this.isEmpty || this.#numBytes + numBytes <= this.#mostBytes;
  }

  push(batch: Batch): void {
    if (this.isEmpty) this.#since = performance.now();
    this.#batches.push(batch);
    this.#numBytes += batch.numBytes;
  }

  /** Whether a batch arrives before the buffered ones have waited for too long. */
  async isInTime(arriving: Promise<unknown>): Promise<boolean> {
    const left = MAX_WAIT_MS - (performance.now() - this.#since);
    if (left <= 0) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(resolve, Math.min(left, MAX_PAUSE_MS), false);
    const settled = () => resolve(true);
    arriving.then(settled, settled);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Returns all buffered rows as one batch. */
  take(): Batch {
    const batches = this.#batches;
    this.#yieldedBytes += this.#numBytes;
    [this.#batches, this.#numBytes] = [[], 0];
    if (batches.length === 1) return batches[0]!;
    try {
      return concatBatches(this.#schema, batches);
    } finally {
      for (const batch of batches) batch.release();
    }
  }

  release(): void {
    for (const batch of this.#batches) batch.release();
    this.#batches = [];
  }
}
