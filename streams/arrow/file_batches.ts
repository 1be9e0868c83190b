/**
 * Reads single batches of a file, in any order.
 *
 * @module
 */

import { DataType, type RecordBatch } from "apache-arrow";
import type { FileInput } from "../file_input.ts";
import type { ChunkLengths } from "../rows/chunk_lengths.ts";
import type { RowRange } from "../select_columns.ts";
import type { ArrowIndex } from "./arrow_index.ts";
import { BatchDecoder } from "./batch_decoder.ts";
import type { Block, FileMessages } from "./file_messages.ts";
import { isPartWorth } from "./read_part.ts";

/** Rows of a batch, from one of its rows on. */
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
  /** The dictionaries that are read, in their order. */
  #read: readonly Block[] = [];

  readonly #lengths: ChunkLengths;

  constructor(input: FileInput, index: ArrowIndex, columns: readonly string[] | undefined) {
    this.#input = input;
    this.#index = index;
    this.#isWhole = columns === undefined;
    this.#chunkBytes = input.chunkBytes;
    this.#lengths = index.lengths(input);
    this.#decoder = new BatchDecoder(input, index.schema, columns);
  }

  /** A batch, or no more of it than has the rows [start, stop), if they are few. */
  async read(batch: number, rows?: RowRange): Promise<BatchPart> {
    const block = this.#index.batches[batch]!;
    await this.#readDictionaries(this.#dictionariesOf(block));
    const isPart = rows !== undefined && this.isPart(batch, rows);
    const placed = (await this.#messages([block]).next(isPart))!;
    const part = isPart ? await this.#decoder.readRows(placed, rows) : undefined;
    this.#input.chunkBytes = this.#chunkBytes;
    return part ?? { batch: await this.#decoder.readBatch(placed), firstRow: 0 };
  }

  /** Whether rows of a batch may be worth reading alone. */
  isPart(batch: number, rows: RowRange): boolean {
    const { bodyLength: bodyBytes } = this.#index.batches[batch]!;
    const numRows = this.#lengths.known(batch) ?? Infinity;
    return isPartWorth(this.#input, rows, { numRows, bodyBytes });
  }

  /** The dictionaries in effect for a batch: in a file all of them, in a stream those before it. */
  #dictionariesOf(batch: Block): readonly Block[] {
    const { dictionaries, isStream } = this.#index;
    if (!isStream) return dictionaries;
    const before = dictionaries.filter(({ number }) => number < batch.number);
    const { schema } = this.#decoder;
    // An inner dictionary counts as it was when the outer one came.
    if (Array.from(schema.dictionaries.values()).some(hasDictionary)) return before;
    return before.filter(({ dictionary, number }) => {
      const { id } = dictionary!;
      return schema.dictionaries.has(id) &&
        !before.some((other) =>
          other.number > number && other.dictionary!.id === id && !other.dictionary!.isDelta
        );
    });
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

  #messages(blocks: readonly Block[]): FileMessages {
    this.#input.chunkBytes = this.#chunkBytes;
    return this.#index.messages(this.#input, blocks, this.#isWhole);
  }
}

/** Whether a type has a dictionary in it. */
function hasDictionary(type: DataType): boolean {
  if (DataType.isDictionary(type)) return true;
  return (type.children ?? []).some((child) => hasDictionary(child.type));
}
