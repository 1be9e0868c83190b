/**
 * Where the messages of an Arrow file lie, and how many rows its batches have.
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

/** What a footer says. */
interface Footer {
  readonly schema: Schema;
  /** Size of the file. */
  readonly numBytes: number;
  readonly batches: readonly Block[];
  readonly dictionaries: readonly Block[];
}

/** What is known of a file; rows of batches are read from their headers once, where they are asked for. */
export class ArrowIndex {
  readonly schema: Schema;
  readonly numBytes: number;
  readonly batches: readonly Block[];
  readonly dictionaries: readonly Block[];
  readonly #numRows: (number | undefined)[];
  readonly #probe = new Probe();
  /** Headers that came from a server last, if they are few. */
  #fronts: ReadonlyMap<Block, Uint8Array> = new Map();

  constructor({ schema, numBytes, batches, dictionaries }: Footer) {
    this.schema = schema;
    this.numBytes = numBytes;
    this.batches = batches;
    this.dictionaries = dictionaries;
    this.#numRows = batches.map(({ numRows }) => numRows);
  }

  /** Returns the messages of batches [start, stop), with the dictionaries that they need before them. */
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

  /** Returns the messages of blocks; whole blocks are read if all of their columns are. */
  messages(
    input: FileInput,
    blocks: readonly Block[],
    isWhole: boolean,
    ahead?: number,
  ): FileMessages {
    return new FileMessages(input, blocks, { isWhole, fronts: this.#fronts, ahead });
  }

  /** Whether dictionaries hold only for the batches behind them, and may be replaced. */
  get isStream(): boolean {
    return this.dictionaries.some(({ dictionary }) => dictionary !== undefined);
  }

  /** Returns the rows of batches; those unknown are read from an input of the same file. */
  lengths(input: FileInput, options: OpenOptions = {}): ChunkLengths {
    return {
      numChunks: this.batches.length,
      known: (batch) => this.#numRows[batch],
      learn: (start, stop) => this.#learn(input, start, stop, options),
    };
  }

  /** Returns the number of all rows. */
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
      // Whoever asks for the length of the last batch alone wants rows of it.
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

  /** Reads headers from a server all at once. */
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

/** Headers that are in memory at once, and that are kept. */
const headersAtOnce = 4096;
const mostFronts = 64;

/** Lets a block come whole, unless it is so large that a part of it may be read. */
function prepareWhole(input: FileInput, { offset, metaDataLength, bodyLength }: Block): void {
  if (isLargeBody(input, bodyLength)) return;
  input.prepare([{ start: offset, stop: offset + metaDataLength + bodyLength }]);
}
