/**
 * Reports the progress of a run that reads chunks itself to observers that count rows.
 *
 * @module
 */

import type { Batch } from "../../batch/batch.ts";

/**
 * Takes unneeded rows in step with a run that reads their chunks itself, so that observers that count
 * rows see its progress.
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

  /** Takes rows in the background until a share of all of them, from 0 to 1, has been taken. */
  reach(share: number): void {
    if (share * this.#numRows <= this.#taken) return;
    this.#work = this.#work.then(() => this.#takeUntil(share * this.#numRows));
    // `end` throws the error.
    this.#work.catch(() => {});
  }

  /** Ends the rows, which need not all have been taken. Throws the error of taking them. */
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
