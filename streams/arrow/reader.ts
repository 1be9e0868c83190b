/**
 * Reads Arrow data in the stream and the file format, from files and pipes.
 *
 * @module
 */

import type { RecordBatch, Schema } from "apache-arrow";
import type { RecordBatch as BatchHeader } from "apache-arrow/ipc/metadata/message";
import type { FileInput } from "../file_input.ts";
import { type RowRange, sliceToRange } from "../select_columns.ts";
import { readRanges } from "../rows/read_ranges.ts";
import type { RowRequest } from "../rows/row_request.ts";
import type { OpenOptions, SourceRows } from "../source.ts";
import { BatchDecoder } from "./batch_decoder.ts";
import { openFile } from "./file_layout.ts";
import { CorruptArrowError, fileMagic } from "./message.ts";
import { readyBatch } from "./ready_batch.ts";
import { type Piece, SmallBatches } from "./small_batches.ts";
import { type ArrowMessages, frontBytes, type OpenedArrow, openStream } from "./stream_layout.ts";

export async function readArrowSchema(input: FileInput): Promise<Schema> {
  return (await openArrow(input)).schema;
}

/** Counts the rows without reading bodies. The input must be a regular file. */
export async function countArrowRows(input: FileInput): Promise<number> {
  const arrow = await openArrow(input);
  let numRows = 0;
  for (;;) {
    const ready = arrow.messages.ready(readyBatch);
    if (ready !== undefined) {
      numRows += ready.header.length;
      arrow.messages.pass(ready);
      continue;
    }
    const placed = await arrow.messages.next(true);
    if (placed === undefined) return numRows;
    if (placed.message.isRecordBatch()) numRows += (placed.header as BatchHeader).length;
    await input.seek(input.position + placed.message.bodyLength);
  }
}

/** Reads the rows of a request, from a regular file. */
export function readArrowRows(
  input: FileInput,
  request: RowRequest,
  options: OpenOptions,
): AsyncGenerator<SourceRows, void, void> {
  const count = () => countArrowRows(input);
  return readRanges(request, count, async function* (range) {
    await input.rewind();
    yield* readArrowBatches(input, options, range);
  });
}

/**
 * Reads record batches; rows outside of the range are skipped, by seeking if possible. With
 * `together`, small batches are joined if already buffered: it never waits for a pipe.
 */
export async function* readArrowBatches(
  input: FileInput,
  options: OpenOptions,
  range: RowRange = { start: 0, stop: Infinity },
): AsyncGenerator<RecordBatch, void, void> {
  const small = new SmallBatches(options.together);
  const batches = new ArrowBatches(input, await openArrow(input), options, range);
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
  readonly #start: number;
  readonly #stop: number;
  /** First row of the next batch. */
  #first = 0;

  constructor(
    input: FileInput,
    { schema, messages }: OpenedArrow,
    { columns }: OpenOptions,
    { start, stop }: RowRange,
  ) {
    this.#input = input;
    this.#messages = messages;
    this.#decoder = new BatchDecoder(input, schema, columns);
    this.#start = start;
    this.#stop = stop;
  }

  /** The next batch, if it is small, fully buffered, and entirely within the range. */
  ready(small: SmallBatches): Piece | undefined {
    while (this.#first < this.#stop) {
      const ready = this.#messages.ready(this.#decoder.readReady);
      if (ready === undefined) return undefined;
      const { numRows, bodyBytes: numBytes } = ready;
      const last = this.#first + numRows;
      const isSkipped = this.#isBefore(last);
      const isWhole = this.#first >= this.#start && last <= this.#stop;
      if (!isSkipped && !(isWhole && small.isSmall(numRows, numBytes))) return undefined;
      const columns = isSkipped ? undefined : this.#decoder.readyColumns(ready);
      if (!isSkipped && columns === undefined) return undefined;
      this.#messages.pass(ready);
      this.#first = last;
      if (columns !== undefined) {
        return { schema: this.#decoder.schema, numRows, numBytes, columns };
      }
    }
    return undefined;
  }

  /** The next batch, or undefined at the end of the range. */
  async next(): Promise<RecordBatch | undefined> {
    while (this.#first < this.#stop) {
      const placed = await this.#messages.next(this.#first < this.#start);
      if (placed === undefined) return undefined;
      if (placed.message.isDictionaryBatch()) {
        await this.#decoder.readDictionary(placed);
        continue;
      }
      const first = this.#first;
      this.#first += (placed.header as BatchHeader).length;
      if (this.#isBefore(this.#first)) await this.#decoder.skipBody(placed);
      else {
        const range = { start: this.#start, stop: this.#stop };
        return sliceToRange(await this.#decoder.readBatch(placed), first, range);
      }
    }
    return undefined;
  }

  /** Whether a batch that ends at row `last` lies before the range. */
  #isBefore(last: number): boolean {
    return this.#start > 0 && last <= this.#start;
  }
}

async function openArrow(input: FileInput): Promise<OpenedArrow> {
  const front = await input.peek(frontBytes);
  if (front.length === 0) throw new CorruptArrowError("is empty, not Arrow data");
  const isFile = front.length >= fileMagic.length &&
    fileMagic.every((byte, index) => front[index] === byte);
  if (!isFile && !looksLikeStream(front)) throw new CorruptArrowError("is not Arrow data");
  // The file format on a pipe is the stream format between magic and footer.
  if (isFile) await input.seek(frontBytes);
  if (isFile && input.numBytes !== undefined) return await openFile(input, input.numBytes);
  return await openStream(input, isFile);
}

function looksLikeStream(front: Uint8Array): boolean {
  if (front.length < frontBytes) return false;
  const view = new DataView(front.buffer, front.byteOffset);
  const first = view.getInt32(0, true);
  if (first === -1) return view.getInt32(4, true) > 0;
  // Before version 0.15 the length came first; with its own four bytes it is a multiple of 8.
  return first > 0 && first < 2 ** 28 && (first + 4) % 8 === 0;
}
