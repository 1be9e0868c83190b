/**
 * The boundary between two stages: it times and counts batches, names errors, and ends early.
 *
 * @module
 */

import type { Batch } from "../batch/batch.ts";
import type { Meter } from "./run_stats.ts";

/** The two sides of a passage, and what happens between them. */
interface PassageOptions {
  /** The meter of the side that yields batches: the source or a stage. */
  readonly from: Meter;
  /** The meter of the stage that takes them; absent at the end of the plan. */
  readonly to?: Meter | undefined;
  /**
   * Aborted as soon as the taker leaves before the end, which ends a pending read of a slow source.
   */
  readonly left: AbortController;
  /**
   * Prepares a batch for its taker, synchronously or not. A batch for which it fails is released.
   */
  readonly settle?: (batch: Batch) => Promise<void> | undefined;
  /** Converts an error for the reader. */
  readonly errorOf?: (error: unknown) => unknown;
}

/**
 * The batches that the source or a stage passes to the next stage, timed and counted for both. It
 * is one object, not a generator for each task, since a small batch costs hardly more than the
 * generators that it passes through.
 */
export class Passage implements AsyncIterableIterator<Batch, void, void> {
  readonly #open: () => AsyncIterator<Batch, void, void>;
  readonly #options: PassageOptions;
  #batches: AsyncIterator<Batch, void, void> | undefined;
  #isEnded = false;

  /** Calls `open` at the first read. */
  constructor(open: () => AsyncIterator<Batch, void, void>, options: PassageOptions) {
    this.#open = open;
    this.#options = options;
  }

  /** Passes the next batch on. An error ends the passage, and ends the side that yields batches. */
  async next(): Promise<IteratorResult<Batch, void>> {
    if (this.#isEnded) return { done: true, value: undefined };
    const { from, to, settle } = this.#options;
    const start = performance.now();
    let batch: Batch | undefined;
    try {
      const next = await (this.#batches ??= this.#open()).next();
      if (next.done) this.#isEnded = true;
      else {
        batch = next.value;
        const settling = settle?.(batch);
        if (settling !== undefined) await settling;
        from.countOutput(batch);
        to?.countInput(batch);
      }
      return next;
    } catch (error) {
      batch?.release();
      // Only the first error counts.
      await this.#leave().catch(() => {});
      throw await this.#named(error);
    } finally {
      const elapsedMs = performance.now() - start;
      from.spend(elapsedMs);
      to?.waitFor(elapsedMs);
    }
  }

  /** Ends the side that yields batches. */
  async return(): Promise<IteratorResult<Batch, void>> {
    try {
      await this.#leave();
    } catch (error) {
      throw await this.#named(error);
    }
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #leave(): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    // A side that was never opened has nothing to end.
    if (this.#batches === undefined) return;
    this.#options.left.abort();
    await this.#batches.return?.();
  }

  #named(error: unknown): unknown {
    return this.#options.errorOf?.(error) ?? error;
  }
}
