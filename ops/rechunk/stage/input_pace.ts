/**
 * Lets those who count rows see how far a run is that reads by itself.
 *
 * @module
 */

import type { Batch } from "../../batch/batch.ts";

/**
 * Takes rows that are not needed in step with a run that reads their chunks by itself, so that those
 * who count rows see how far it is.
 */
export class InputPace {
  readonly #rows: AsyncIterator<Batch>;
  readonly #numRows: number;
  #taken = 0;
  #work: Promise<void> = Promise.resolve();

  constructor(input: AsyncIterable<Batch>, numRows: number) {
    this.#rows = input[Symbol.asyncIterator]();
    this.#numRows = numRows;
  }

  /** Takes rows in the background until a share of all of them, 0 to 1, was taken. */
  reach(share: number): void {
    if (share * this.#numRows <= this.#taken) return;
    this.#work = this.#work.then(() => this.#takeUntil(share * this.#numRows));
    // Who ends it gets the error.
    this.#work.catch(() => {});
  }

  /** Ends the rows; those that were not taken stay where they are. */
  async end(): Promise<void> {
    try {
      await this.#work;
    } finally {
      await this.#rows.return?.();
    }
  }

  async #takeUntil(numRows: number): Promise<void> {
    while (this.#taken < numRows) {
      const { done, value: batch } = await this.#rows.next();
      if (done) return;
      this.#taken += batch.numRows;
      batch.release();
    }
  }
}
