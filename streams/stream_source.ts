/**
 * A foreign stream of record batches as a source.
 *
 * @module
 */

import type { RecordBatch, Schema } from "apache-arrow";
import { SmallBatches } from "./arrow.ts";
import { ownBatch, ownSchema } from "./own_arrow.ts";
import { selectColumns } from "./select_columns.ts";
import type { OpenOptions, Source } from "./source.ts";

/**
 * A source over any ReadableStream of record batches, read once. Asking for a schema that was not
 * given reads the first batch and keeps it; a stream that ends before it has no schema.
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
  readonly canSeek = false;
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

  numRows(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async *open({ signal, columns, together }: OpenOptions): AsyncGenerator<RecordBatch, void, void> {
    if (this.#opened) throw new TypeError(`${this.name}: can be read only once`);
    this.#opened = true;
    const reader = this.#getReader();
    // A stream that has failed refuses to be cancelled with its own error, which is known already.
    const cancel = () => reader.cancel(signal?.reason).catch(() => {});
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      if (signal?.aborted) return;
      for await (
        const batch of joinArriving(() => this.#readChecked(), new SmallBatches(together))
      ) {
        if (signal?.aborted) return;
        yield columns === undefined ? batch : selectColumns(batch, columns);
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

// Held here, so that a program may put clocks of its own in their place.
const { clearTimeout, setTimeout } = globalThis;

/** Rows are held for about so long, in milliseconds, while more come without a pause. */
const MAX_HELD_MS = 10;

/**
 * The batches that `read` gives one after the other, small ones joined. What is held is given as
 * soon as the next batch is not there when the event loop turns, and before a failure.
 */
export async function* joinArriving(
  read: () => Promise<ReadableStreamReadResult<RecordBatch>>,
  small: SmallBatches,
): AsyncGenerator<RecordBatch, void, void> {
  let turn: Turn | undefined;
  let heldSince = 0;
  try {
    for (;;) {
      const reading = read();
      if (small.holdsRows && !await (turn ??= new Turn()).isAfter(reading)) yield* small.take();
      const { done, value } = await reading;
      if (done) break;
      if (!small.holdsRows) {
        turn?.cancel();
        turn = undefined;
        heldSince = performance.now();
      }
      yield* small.pushBatch(value);
      if (performance.now() - heldSince > MAX_HELD_MS) yield* small.take();
    }
  } catch (error) {
    yield* small.take();
    throw error;
  } finally {
    turn?.cancel();
  }
  yield* small.take();
}

/** The next turn of the event loop, which comes when nothing is left to do at once. */
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
