/**
 * Reads single batches of a file, in any order.
 *
 * @module
 */

import { DataType, type RecordBatch } from "apache-arrow";
import type { FileInput } from "../../bytes/file_input.ts";
import type { ChunkLengths } from "../../rows/chunk_lengths.ts";
import type { RowRange } from "../../types/select_columns.ts";
import type { ArrowIndex } from "./arrow_index.ts";
import { BatchDecoder } from "./batch_decoder.ts";
import type { Block, FileMessages } from "./file_messages.ts";
import { isPartWorth } from "./read_part.ts";
import { isRemote } from "./remote.ts";

/** Consecutive rows of a batch; `firstRow` is the place of the first in the batch. */
export interface BatchPart {
  readonly batch: RecordBatch;
  readonly firstRow: number;
}

/** The batches of an open file. Calls must not overlap. */
export class FileBatches {
  readonly #input: FileInput;
  readonly #index: ArrowIndex;
  readonly #decoder: BatchDecoder;
  readonly #isWhole: boolean;
  readonly #chunkBytes: number;
  /** The dictionaries that the decoder has read, in order. */
  #read: readonly Block[] = [];
  readonly #lengths: ChunkLengths;
  /** The batch that was read last, and its distance from the one before. */
  #last = NaN;
  #stride = NaN;
  /** The predicted batches, which the input may be fetching. */
  #later: readonly number[] = [];

  constructor(input: FileInput, index: ArrowIndex, columns: readonly string[] | undefined) {
    this.#input = input;
    this.#index = index;
    this.#isWhole = columns === undefined;
    this.#chunkBytes = input.chunkBytes;
    this.#lengths = index.lengths(input);
    this.#decoder = new BatchDecoder(input, index.schema, columns);
  }

  /** Reads a batch, or only a part of it that contains `rows` where that pays. */
  async read(batch: number, rows?: RowRange): Promise<BatchPart> {
    const block = this.#index.batches[batch]!;
    await this.#readDictionaries(this.#dictionariesOf(block));
    const isPart = rows !== undefined && this.isPart(batch, rows);
    const later = this.#predict(batch);
    const placed = (await this.#messages([block, ...later], 1 + later.length).next(isPart))!;
    const part = isPart ? await this.#decoder.readRows(placed, rows) : undefined;
    this.#input.chunkBytes = this.#chunkBytes;
    return part ?? { batch: await this.#decoder.readBatch(placed), firstRow: 0 };
  }

  /** Whether reading only these rows of a batch may pay. */
  isPart(batch: number, rows: RowRange): boolean {
    const { bodyLength: bodyBytes } = this.#index.batches[batch]!;
    const numRows = this.#lengths.known(batch) ?? Infinity;
    return isPartWorth(this.#input, rows, { numRows, bodyBytes });
  }

  /**
   * Returns the dictionaries that apply to a batch: in a file all of them, in a stream those before
   * it.
   */
  #dictionariesOf(batch: Block): readonly Block[] {
    const { dictionaries, isStream } = this.#index;
    if (!isStream) return dictionaries;
    const before = dictionaries.filter(({ number }) => number < batch.number);
    const { schema } = this.#decoder;
    // An outer dictionary refers to the inner one of its own time, which may have been replaced
    // since.
    if (Array.from(schema.dictionaries.values()).some(hasDictionary)) return before;
    const wanted: Block[] = [];
    const replaced = new Set<number>();
    for (const block of before.toReversed()) {
      const { id, isDelta } = block.dictionary!;
      if (!schema.dictionaries.has(id) || replaced.has(id)) continue;
      wanted.push(block);
      if (!isDelta) replaced.add(id);
    }
    return wanted.reverse();
  }

  async #readDictionaries(wanted: readonly Block[]): Promise<void> {
    if (wanted === this.#read) return;
    const goesOn = this.#read.every((block, index) => wanted[index] === block);
    if (!goesOn) this.#decoder.forgetDictionaries();
    const messages = this.#messages(goesOn ? wanted.slice(this.#read.length) : wanted);
    for (;;) {
      const placed = await messages.next(false);
      if (placed === undefined) break;
      await this.#decoder.readDictionary(placed);
    }
    this.#read = wanted;
  }

  /**
   * Predicts the next batches where reads come at equal distances, so that a server is asked for
   * several at once. Predicts more when half of them have been read.
   */
  #predict(batch: number): Block[] {
    const stride = batch - this.#last;
    const goesOn = stride !== 0 && stride === this.#stride && isRemote(this.#input);
    this.#last = batch;
    this.#stride = stride;
    const { batches } = this.#index;
    const later = goesOn ? this.#later.slice(this.#later.indexOf(batch) + 1) : [];
    let bytes = later.reduce((sum, batch) => sum + batches[batch]!.bodyLength, 0);
    const most = 2 * this.#input.tripBytes;
    if (goesOn && bytes < most / 2) {
      for (let next = (later.at(-1) ?? batch) + stride; bytes < most; next += stride) {
        if (batches[next] === undefined) break;
        later.push(next);
        bytes += batches[next]!.bodyLength;
      }
    }
    this.#later = later;
    return later.map((batch) => batches[batch]!);
  }

  #messages(blocks: readonly Block[], ahead?: number): FileMessages {
    this.#input.chunkBytes = this.#chunkBytes;
    return this.#index.messages(this.#input, blocks, this.#isWhole, ahead);
  }
}

/** Whether a type is or contains a dictionary. */
function hasDictionary(type: DataType): boolean {
  if (DataType.isDictionary(type)) return true;
  return (type.children ?? []).some((child) => hasDictionary(child.type));
}
