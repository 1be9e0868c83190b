/**
 * A source over a foreign stream of record batches.
 *
 * @module
 */

import type { RecordBatch, Schema } from "apache-arrow";
import { SmallBatches } from "../data/arrow_data.ts";
import { ownBatch, ownSchema } from "../types/own_arrow.ts";
import { selectColumns } from "../types/select_columns.ts";
import { allRows, type RowRequest } from "../rows/row_request.ts";
import { checkAllRows, type OpenOptions, type Source, type SourceRows } from "./source.ts";

/**
 * Creates a source over any ReadableStream of record batches, which is read once. Without a given schema, `schema()`
 * reads and keeps the first batch; a stream without batches has no schema.
 */
export function streamSource(
  stream: ReadableStream<RecordBatch>,
  name: string = "stream",
  schema?: Schema,
): Source {
  return new StreamSource(stream, name, schema);
}

class StreamSource implements Source {
  readonly name: string;
  readonly bytesRead = 0;
  readonly #stream: ReadableStream<RecordBatch>;
  readonly #schema: Schema | undefined;
  #reader: ReadableStreamDefaultReader<RecordBatch> | undefined;
  #first: Promise<ReadableStreamReadResult<RecordBatch>> | undefined;
  #opened = false;
  #isFirst = true;

  constructor(stream: ReadableStream<RecordBatch>, name: string, schema: Schema | undefined) {
    this.#stream = stream;
    this.#schema = schema && ownSchema(schema);
    this.name = name;
  }

  async schema(): Promise<Schema | undefined> {
    if (this.#schema !== undefined) return this.#schema;
    const { done, value } = await this.#readFirst();
    if (done) return undefined;
    return this.#own(value).schema;
  }

  canSeek(): Promise<boolean> {
    return Promise.resolve(false);
  }

  numRows(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async *rows(
    request: RowRequest = allRows,
    { signal, columns, together }: OpenOptions = {},
  ): AsyncGenerator<SourceRows, void, void> {
    checkAllRows(this.name, request);
    if (this.#opened) throw new TypeError(`${this.name}: can be read only once`);
    this.#opened = true;
    const reader = this.#getReader();
    // Cancelling a failed stream rejects with the error that was already reported.
    const cancel = () => reader.cancel(signal?.reason).catch(() => {});
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      if (signal?.aborted) return;
      let firstRow = 0;
      for await (
        const batch of joinArriving(() => this.#readChecked(), new SmallBatches(together))
      ) {
        if (signal?.aborted) return;
        yield { batch: columns === undefined ? batch : selectColumns(batch, columns), firstRow };
        firstRow += batch.numRows;
      }
    } finally {
      signal?.removeEventListener("abort", cancel);
      await cancel();
    }
  }

  #own(batch: unknown): RecordBatch {
    return ownBatch(`The source ${this.name}`, batch);
  }

  #getReader(): ReadableStreamDefaultReader<RecordBatch> {
    return this.#reader ??= this.#stream.getReader();
  }

  async #readChecked(): Promise<ReadableStreamReadResult<RecordBatch>> {
    const next = this.#isFirst ? await this.#readFirst() : await this.#getReader().read();
    this.#isFirst = false;
    return next.done ? next : { done: false, value: this.#own(next.value) };
  }

  #readFirst(): Promise<ReadableStreamReadResult<RecordBatch>> {
    return this.#first ??= this.#getReader().read();
  }
}

// Captured, so that fake timers of a program do not replace them.
const { clearTimeout, setTimeout } = globalThis;

/** The longest time for which rows are buffered, in milliseconds, while more arrive without a pause. */
const MAX_BUFFERED_MS = 10;

/**
 * Joins small batches as `read` returns them. Buffered rows are yielded when the event loop turns
 * before the next batch arrives, and before a failure.
 */
export async function* joinArriving(
  read: () => Promise<ReadableStreamReadResult<RecordBatch>>,
  small: SmallBatches,
): AsyncGenerator<RecordBatch, void, void> {
  let turn: Turn | undefined;
  let bufferedSince = 0;
  try {
    for (;;) {
      const reading = read();
      if (small.holdsRows && !await (turn ??= new Turn()).isAfter(reading)) yield* small.take();
      const { done, value } = await reading;
      if (done) break;
      if (!small.holdsRows) {
        turn?.cancel();
        turn = undefined;
        bufferedSince = performance.now();
      }
      yield* small.pushBatch(value);
      if (performance.now() - bufferedSince > MAX_BUFFERED_MS) yield* small.take();
    }
  } catch (error) {
    yield* small.take();
    throw error;
  } finally {
    turn?.cancel();
  }
  yield* small.take();
}

/** The next turn of the event loop, after all microtasks. */
class Turn {
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #comes: Promise<boolean>;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#comes = promise;
    this.#timer = setTimeout(resolve, 0, false);
  }

  /** Whether a promise settles first. */
  isAfter(promise: Promise<unknown>): Promise<boolean> {
    return Promise.race([promise.then(() => true, () => true), this.#comes]);
  }

  cancel(): void {
    clearTimeout(this.#timer);
  }
}
