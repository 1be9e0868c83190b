/**
 * Joins small batches before they go to a device, where each costs dispatches and a wait.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import { type Batch, concatBatches } from "../batch/batch.ts";

/** Bytes up to which batches are joined. One of half of it goes alone: it would be copied for little. */
export const JOINED_BYTES = 32 << 20;

/** The time that rows are buffered while nothing arrives, and the longest time, in milliseconds. */
const MAX_PAUSE_MS = 20;
const MAX_HELD_MS = 100;

// Captured, so that fake timers of a program do not replace them.
const { clearTimeout, setTimeout } = globalThis;

/**
 * The rows of `input`, which are on the host, in batches of `mostBytes` at most, or as they came where
 * these are large. It holds about as many bytes as it has given: the first batches pass one by one, so
 * that a consumer of few rows does not drain the source. Held rows are given when the source pauses,
 * and before its failure.
 */
export async function* uploadBatches(
  input: AsyncIterator<Batch, void, void>,
  schema: Schema,
  mostBytes: number,
): AsyncGenerator<Batch, void, void> {
  const held = new HeldBatches(schema, mostBytes);
  let arriving: Promise<IteratorResult<Batch, void>> | undefined;
  try {
    for (;;) {
      arriving = input.next();
      // A failure is awaited below, or nobody wants to know.
      arriving.catch(() => {});
      if (!held.isEmpty && !await held.isInTime(arriving)) yield held.take();
      const next: IteratorResult<Batch, void> = await arriving;
      arriving = undefined;
      if (next.done) break;
      const before = held.hasRoom(next.value) ? undefined : held.take();
      held.push(next.value);
      if (before !== undefined) yield before;
      if (held.isFull) yield held.take();
    }
    if (!held.isEmpty) yield held.take();
  } catch (error) {
    if (!held.isEmpty) yield held.take();
    throw error;
  } finally {
    held.release();
    await arriving?.then((next) => next.done ? undefined : next.value.release(), () => {});
    await input.return?.();
  }
}

/** Batches that wait for more. */
class HeldBatches {
  readonly #schema: Schema;
  readonly #mostBytes: number;
  #batches: Batch[] = [];
  #numBytes = 0;
  #givenBytes = 0;
  #since = 0;

  constructor(schema: Schema, mostBytes: number) {
    this.#schema = schema;
    this.#mostBytes = mostBytes;
  }

  get isEmpty(): boolean {
    return this.#batches.length === 0;
  }

  /** Whether nothing more should be held. */
  get isFull(): boolean {
    return 2 * this.#numBytes >= Math.min(this.#mostBytes, 2 * this.#givenBytes);
  }

  /** Whether a batch may be joined with those that are held. */
  hasRoom({ numBytes }: Batch): boolean {
    return this.isEmpty || this.#numBytes + numBytes <= this.#mostBytes;
  }

  push(batch: Batch): void {
    if (this.isEmpty) this.#since = performance.now();
    this.#batches.push(batch);
    this.#numBytes += batch.numBytes;
  }

  /** Whether a batch arrives before those that are held have waited for too long. */
  async isInTime(arriving: Promise<unknown>): Promise<boolean> {
    const left = MAX_HELD_MS - (performance.now() - this.#since);
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

  /** All that is held, as one batch. */
  take(): Batch {
    const batches = this.#batches;
    this.#givenBytes += this.#numBytes;
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
