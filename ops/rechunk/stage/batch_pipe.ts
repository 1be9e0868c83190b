/**
 * A pipe between a run that writes batches and a consumer that pulls them.
 *
 * @module
 */

import type { RecordBatch } from "apache-arrow";

/** Passes batches to a consumer; each write waits until the batch before was taken. */
export class BatchPipe {
  /** The batches, for one consumer. */
  readonly batches: ReadableStream<RecordBatch>;
  readonly #writer: WritableStreamDefaultWriter<RecordBatch>;

  constructor() {
    // Nothing is written before the consumer asks for it.
    const pipe = new TransformStream<RecordBatch, RecordBatch>(undefined, undefined, {
      highWaterMark: 0,
    });
    this.batches = pipe.readable;
    this.#writer = pipe.writable.getWriter();
  }

  /** Runs the function that writes all batches. Never fails: the consumer gets the error. */
  async pump(write: () => Promise<void>): Promise<void> {
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
