/**
 * A pipe between a run that writes batches and one who pulls them.
 *
 * @module
 */

import type { RecordBatch } from "apache-arrow";

/** Batches of one who writes them, for one who pulls: each waits until the one before was taken. */
export class BatchPipe {
  /** The batches, of one run. */
  readonly batches: ReadableStream<RecordBatch>;
  readonly #writer: WritableStreamDefaultWriter<RecordBatch>;

  constructor() {
    // Nothing is written before it is asked for.
    const pipe = new TransformStream<RecordBatch, RecordBatch>(undefined, undefined, {
      highWaterMark: 0,
    });
    this.batches = pipe.readable;
    this.#writer = pipe.writable.getWriter();
  }

  /** Runs what writes all batches. Never fails: who pulls them gets the error. */
  async give(write: () => Promise<void>): Promise<void> {
    this.#writer.closed.catch(() => {});
    try {
      await write();
      await this.#writer.close();
    } catch (error) {
      await this.#writer.abort(error).catch(() => {});
    }
  }

  write(batch: RecordBatch): Promise<void> {
    return this.#writer.write(batch);
  }
}
