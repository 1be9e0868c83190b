/**
 * Reads record batches from messages, in order.
 *
 * @module
 */

import type { RecordBatch } from "apache-arrow";
import type { RecordBatch as BatchHeader } from "apache-arrow/ipc/metadata/message";
import type { FileInput } from "../../bytes/file_input.ts";
import { sliceToRange } from "../../types/select_columns.ts";
import type { OpenOptions } from "../../plan/source.ts";
import { BatchDecoder } from "./batch_decoder.ts";
import { type BatchParts, SmallBatches } from "../../data/small_batches.ts";
import type { ArrowMessages, OpenedArrow } from "./stream_layout.ts";

/** The wanted rows, counted from the first batch of the messages. */
interface MessageRange {
  readonly start: number;
  readonly stop: number;
  /** Whether `start` may lie after the first batch: of batches before it only headers are read. */
  readonly isFar?: boolean;
  /** The last wanted batch, and the most rows to read of it. Default: no limit. */
  readonly last?: { readonly batch: number; readonly rows: number };
}

const allRows: MessageRange = { start: 0, stop: Infinity };

/**
 * Reads the record batches of a range of rows; seeks past others where possible. With `together`,
 * joins small batches that are already buffered, so that it never waits for a pipe.
 */
export async function* readMessages(
  input: FileInput,
  arrow: OpenedArrow,
  options: OpenOptions,
  range: MessageRange = allRows,
): AsyncGenerator<RecordBatch, void, void> {
  const small = new SmallBatches(options.together);
  const batches = new ArrowBatches(input, arrow, options, range);
  try {
    for (;;) {
      for (let next = batches.ready(small); next !== undefined; next = batches.ready(small)) {
        yield* small.push(next);
      }
      if (input.numBytes === undefined) yield* small.take();
      const next = await batches.next();
      if (next === undefined) break;
      yield* small.pushBatch(next);
    }
  } catch (error) {
    // A consumer that already has enough rows never sees the error.
    yield* small.take();
    throw error;
  }
  yield* small.take();
}

/** Reads the batches of a range of rows. */
class ArrowBatches {
  readonly #input: FileInput;
  readonly #messages: ArrowMessages;
  readonly #decoder: BatchDecoder;
  readonly #range: MessageRange;
  /** The next batch, and its first row. */
  #batch = 0;
  #first = 0;

  constructor(
    input: FileInput,
    { schema, messages }: OpenedArrow,
    { columns }: OpenOptions,
    range: MessageRange,
  ) {
    this.#input = input;
    this.#messages = messages;
    this.#decoder = new BatchDecoder(input, schema, columns);
    this.#range = range;
  }

  /** Returns the next batch, if it is small, fully buffered, and entirely within the range. */
  ready(small: SmallBatches): BatchParts | undefined {
    while (this.#first < this.#stop) {
      const ready = this.#messages.ready(this.#decoder.readReady);
      if (ready === undefined) return undefined;
      const { numRows, bodyBytes: numBytes } = ready;
      const last = this.#first + numRows;
      const isSkipped = this.#isBefore(last);
      const isWhole = this.#first >= this.#range.start && last <= this.#stop;
      if (!isSkipped && !(isWhole && small.isSmall(numRows, numBytes))) return undefined;
      const columns = isSkipped ? undefined : this.#decoder.readyColumns(ready);
      if (!isSkipped && columns === undefined) return undefined;
      this.#messages.pass(ready);
      this.#pass(numRows);
      if (columns !== undefined) {
        return { schema: this.#decoder.schema, numRows, numBytes, columns };
      }
    }
    return undefined;
  }

  /** Returns the next batch, or undefined at the end of the range. */
  async next(): Promise<RecordBatch | undefined> {
    while (this.#first < this.#stop) {
      const { start, isFar = false } = this.#range;
      const placed = await this.#messages.next(isFar && this.#first < start);
      if (placed === undefined) return undefined;
      if (placed.message.isDictionaryBatch()) {
        await this.#decoder.readDictionary(placed);
        continue;
      }
      const first = this.#first;
      const range = { start, stop: this.#stop };
      this.#pass((placed.header as BatchHeader).length);
      if (this.#isBefore(this.#first)) await this.#decoder.skipBody(placed);
      else return sliceToRange(await this.#decoder.readBatch(placed), first, range);
    }
    return undefined;
  }

  /** The end of the range, as far as it is known at the next batch. */
  get #stop(): number {
    const { stop, last } = this.#range;
    if (last === undefined || this.#batch < last.batch) return stop;
    return this.#batch === last.batch ? Math.min(stop, this.#first + last.rows) : 0;
  }

  #pass(numRows: number): void {
    this.#batch++;
    this.#first += numRows;
  }

  /** Whether a batch that ends at row `last` lies before the range. */
  #isBefore(last: number): boolean {
    return this.#range.start > 0 && last <= this.#range.start;
  }
}
