/**
 * Rows that are written on their way through a pipeline.
 *
 * @module
 */

import type { RecordBatch, Schema } from "apache-arrow";
import { BatchStream } from "../../streams/plan/batch_stream.ts";
import type { FileSink } from "../../streams/sink/sink_job.ts";
import type { Source } from "../../streams/plan/source.ts";
import { streamSource } from "../../streams/plan/stream_source.ts";
import type { Engine } from "../engine/engine.ts";

/** Tells errors of the incoming rows from errors of the file. */
interface ErrorPlaces {
  readonly ofInput: <T>(work: () => Promise<T>) => Promise<T>;
  readonly ofFile: <T>(work: () => Promise<T>) => Promise<T>;
}

/**
 * A write in the middle of a pipeline. Each batch is written, then passed on as it came; the file takes
 * the rest of the rows where the steps after it stop early. It appears with `commit`, and never after
 * `abort`.
 */
export class WrittenRows {
  readonly sink: FileSink;
  readonly input: BatchStream;
  readonly #places: ErrorPlaces;
  readonly #reader: ReadableStreamDefaultReader<RecordBatch>;
  #first: Promise<ReadableStreamReadResult<RecordBatch>> | undefined;
  /** The last read and write in a queue: batches are handled one at a time, however many are asked for. */
  #turn: Promise<unknown> = Promise.resolve();
  #hasBegun = false;
  #isFinished = false;
  #isAborted = false;

  constructor(input: BatchStream, sink: FileSink, places: ErrorPlaces) {
    this.input = input;
    this.sink = sink;
    this.#places = places;
    this.#reader = input.getReader();
  }

  /** The rows for the steps after it, in batches of this schema. */
  stream(engine: Engine, schema: Schema): BatchStream {
    const passed = new ReadableStream<RecordBatch>({
      pull: async (controller) => {
        const batch = await this.#next();
        if (batch === undefined) controller.close();
        else controller.enqueue(batch);
      },
      // With 0 nothing is written before the first read.
    }, { highWaterMark: 0 });
    const name = `rows of ${this.sink.name}`;
    const source = streamSource(passed, name, schema);
    return new BatchStream(Object.freeze({
      source: {
        name,
        bytesRead: 0,
        schema: () => source.schema(),
        canSeek: () => source.canSeek(),
        numRows: () => this.input.numRows(),
        rows: (...wanted: Parameters<Source["rows"]>) => source.rows(...wanted),
      },
      nodes: Object.freeze([]),
      engine: engine.plans,
    }));
  }

  /** Checks that the file can be written, and reads its first rows, which are not written yet. */
  async begin(): Promise<void> {
    await (this.#first ??= this.#readFirst());
  }

  /** Writes the rows that no later step has requested, and the end of the file. */
  async finish(): Promise<void> {
    while (await this.#next() !== undefined);
  }

  /** Lets the file appear. */
  async commit(): Promise<void> {
    if (!this.#isAborted) await this.#places.ofFile(() => this.sink.job.commit());
  }

  /** Reads no further, and removes what was written. */
  async abort(reason: unknown): Promise<void> {
    this.#isFinished = this.#isAborted = true;
    this.sink.job.abort();
    await this.#reader.cancel(reason).catch(() => {});
  }

  #next(): Promise<RecordBatch | undefined> {
    const next = this.#turn.then(() => this.#advance());
    this.#turn = next.catch(() => {});
    return next;
  }

  async #advance(): Promise<RecordBatch | undefined> {
    if (this.#isFinished) return undefined;
    const { done, value } = await this.#read();
    if (!done) {
      await this.#places.ofFile(() => this.sink.job.write(value));
      return value;
    }
    this.#isFinished = true;
    await this.#places.ofFile(() => this.sink.job.finish());
    return undefined;
  }

  async #read(): Promise<ReadableStreamReadResult<RecordBatch>> {
    if (this.#hasBegun) return await this.#places.ofInput(() => this.#reader.read());
    this.#hasBegun = true;
    return await (this.#first ??= this.#readFirst());
  }

  async #readFirst(): Promise<ReadableStreamReadResult<RecordBatch>> {
    await this.#places.ofFile(() => this.sink.job.check());
    return await this.#places.ofInput(() => this.#reader.read());
  }
}
