/**
 * The boundary between two stages, which times, counts, names errors and ends early.
 *
 * @module
 */

import type { Batch } from "../batch/batch.ts";
import type { Meter } from "./run_stats.ts";

/** Who takes part in the passing of batches. */
interface PassageOptions {
  /** Gives them: the source, or a stage. */
  readonly from: Meter;
  /** Takes them; absent: whoever reads the result. */
  readonly to?: Meter | undefined;
  /** Aborted as soon as they are left before their end: a pending read of a slow source ends so. */
  readonly left: AbortController;
  /** Prepares a batch for its taker, at once or later; one that fails is released. */
  readonly settle?: (batch: Batch) => Promise<void> | undefined;
  /** The error as the reader sees it. */
  readonly errorOf?: (error: unknown) => unknown;
}

/**
 * The batches that the source or a stage passes to the next stage: timed and counted for both of them.
 * It is one object instead of a generator for each of these, as a small batch costs hardly more than
 * the steps that it takes.
 */
export class Passage implements AsyncIterableIterator<Batch, void, void> {
  readonly #open: () => AsyncIterator<Batch, void, void>;
  readonly #options: PassageOptions;
  #batches: AsyncIterator<Batch, void, void> | undefined;
  #isEnded = false;

  /** `open` is called at the first read. */
  constructor(open: () => AsyncIterator<Batch, void, void>, options: PassageOptions) {
    this.#open = open;
    this.#options = options;
  }

  /** The next batch, which changes hands. An error is the end, and leaves the giver. */
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
        from.give(batch);
        to?.take(batch);
      }
      return next;
    } catch (error) {
      batch?.release();
      // What fails after that is of no interest.
      await this.#leave().catch(() => {});
      throw await this.#named(error);
    } finally {
      const elapsedMs = performance.now() - start;
      from.spend(elapsedMs);
      to?.waitFor(elapsedMs);
    }
  }

  /** Leaves the giver. */
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
    // What was never opened has nothing to end.
    if (this.#batches === undefined) return;
    this.#options.left.abort();
    await this.#batches.return?.();
  }

  #named(error: unknown): unknown {
    return this.#options.errorOf?.(error) ?? error;
  }
}
