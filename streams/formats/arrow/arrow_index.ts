/**
 * The index of an Arrow file: the positions of its messages and the number of rows of each batch.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import type { RecordBatch as BatchHeader } from "apache-arrow/ipc/metadata/message";
import type { FileInput } from "../../bytes/file_input.ts";
import type { ChunkLengths } from "../../rows/chunk_lengths.ts";
import { Probe } from "../../rows/probe.ts";
import type { OpenOptions } from "../../plan/source.ts";
import { type Block, decodeBlock, FileMessages } from "./file_messages.ts";
import type { OpenedArrow } from "./stream_layout.ts";
import { isLargeBody } from "./read_part.ts";
import { readyBatch } from "../../data/ready_batch.ts";
import { isRemote } from "./remote.ts";

/** The content of a footer. */
interface Footer {
  readonly schema: Schema;
  /** Size of the file. */
  readonly numBytes: number;
  readonly batches: readonly Block[];
  readonly dictionaries: readonly Block[];
}

/** The index of one file. The row counts of batches are read from their headers on first use. */
export class ArrowIndex {
  readonly schema: Schema;
  readonly numBytes: number;
  readonly batches: readonly Block[];
  readonly dictionaries: readonly Block[];
  readonly #numRows: (number | undefined)[];
  readonly #probe = new Probe();
  /** The headers fetched from a server last, if there were few. */
  #fronts: ReadonlyMap<Block, Uint8Array> = new Map();

  constructor({ schema, numBytes, batches, dictionaries }: Footer) {
    this.schema = schema;
    this.numBytes = numBytes;
    this.batches = batches;
    this.dictionaries = dictionaries;
    this.#numRows = batches.map(({ numRows }) => numRows);
  }

  /** Opens batches [start, stop), preceded by the dictionaries that they may need. */
  open(
    input: FileInput,
    { columns }: OpenOptions,
    start = 0,
    stop: number = this.batches.length,
  ): OpenedArrow {
    const isWhole = columns === undefined;
    const batches = this.batches.slice(start, stop);
    const end = batches.at(-1)?.number ?? 0;
    const blocks = this.isStream
      ? [...this.dictionaries.filter(({ number }) => number < end), ...batches]
        .sort((left, right) => left.number - right.number)
      : [...this.dictionaries, ...batches];
    return { schema: this.schema, messages: this.messages(input, blocks, isWhole) };
  }

  /**
   * Returns an iterator over the messages of blocks. `isWhole` says that all columns are wanted, so
   * blocks may be read whole.
   */
  messages(
    input: FileInput,
    blocks: readonly Block[],
    isWhole: boolean,
    ahead?: number,
  ): FileMessages {
    return new FileMessages(input, blocks, { isWhole, fronts: this.#fronts, ahead });
  }

  /**
   * Whether this is a stream, where a dictionary applies only to later batches and may be replaced.
   */
  get isStream(): boolean {
    return this.dictionaries.some(({ dictionary }) => dictionary !== undefined);
  }

  /**
   * Returns the row counts of the batches; `learn` reads missing ones from `input`, which must be
   * the same file.
   */
  lengths(input: FileInput, options: OpenOptions = {}): ChunkLengths {
    return {
      numChunks: this.batches.length,
      known: (batch) => this.#numRows[batch],
      learn: (start, stop) => this.#learn(input, start, stop, options),
    };
  }

  /** Returns the total number of rows. */
  async numRows(input: FileInput, options: OpenOptions = {}): Promise<number> {
    await this.#learn(input, 0, this.batches.length, options);
    return this.#numRows.reduce<number>((sum, numRows) => sum + numRows!, 0);
  }

  async #learn(
    input: FileInput,
    start: number,
    stop: number,
    options: OpenOptions,
  ): Promise<void> {
    const unknown: number[] = [];
    for (let batch = start; batch < stop; batch++) {
      if (this.#numRows[batch] === undefined) unknown.push(batch);
    }
    await this.#probe.run(unknown, {
      learn: (batches) => this.#readHeaders(input, batches, options),
      bytesOf: (batch) => this.batches[batch]!.metaDataLength,
      onProbe: options.onProbe,
    });
  }

  async #readHeaders(
    input: FileInput,
    batches: readonly number[],
    { columns }: OpenOptions,
  ): Promise<void> {
    const blocks = batches.map((batch) => this.batches[batch]!);
    if (isRemote(input)) {
      // A caller that asks only for the length of the last batch is about to read rows of it.
      const isLast = batches.length === 1 && batches[0] === this.batches.length - 1;
      if (isLast && columns === undefined) prepareWhole(input, blocks[0]!);
      for (let first = 0; first < batches.length; first += headersAtOnce) {
        await this.#fetchHeaders(input, batches.slice(first, first + headersAtOnce));
      }
      return;
    }
    const { chunkBytes } = input;
    const messages = new FileMessages(input, blocks, { isWhole: false });
    for (const batch of batches) {
      const ready = messages.ready(readyBatch);
      if (ready === undefined) {
        const placed = await messages.next(true);
        this.#numRows[batch] = (placed!.header as BatchHeader).length;
      } else {
        messages.pass(ready);
        this.#numRows[batch] = ready.numRows;
      }
    }
    input.chunkBytes = chunkBytes;
  }

  /** Fetches headers from a server in one round trip. */
  async #fetchHeaders(input: FileInput, batches: readonly number[]): Promise<void> {
    const blocks = batches.map((batch) => this.batches[batch]!);
    const fronts = await input.readMany(
      blocks.map(({ offset, metaDataLength }) => ({
        start: offset,
        stop: offset + metaDataLength,
      })),
    );
    for (const [index, batch] of batches.entries()) {
      const { header } = decodeBlock(fronts[index]!, blocks[index]!);
      this.#numRows[batch] = (header as BatchHeader).length;
    }
    if (batches.length > mostFronts) return;
    this.#fronts = new Map(blocks.map((block, index) => [block, fronts[index]!]));
  }
}

/** The most headers fetched at a time, and the most kept for later. */
const headersAtOnce = 4096;
const mostFronts = 64;

/** Starts to fetch a whole block, unless it is so large that reading a part of it may pay. */
function prepareWhole(input: FileInput, { offset, metaDataLength, bodyLength }: Block): void {
  if (isLargeBody(input, bodyLength)) return;
  input.prepare([{ start: offset, stop: offset + metaDataLength + bodyLength }]);
}
