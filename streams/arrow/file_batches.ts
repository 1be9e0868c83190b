/**
 * Reads single batches of a file, in any order.
 *
 * @module
 */

import { DataType, type RecordBatch } from "apache-arrow";
import type { FileInput } from "../file_input.ts";
import type { ArrowIndex } from "./arrow_index.ts";
import { BatchDecoder } from "./batch_decoder.ts";
import { type Block, FileMessages } from "./file_messages.ts";

/** The batches of an open file. Calls must not overlap. */
export class FileBatches {
  readonly #input: FileInput;
  readonly #index: ArrowIndex;
  readonly #decoder: BatchDecoder;
  readonly #chunkBytes: number;
  /** The dictionaries that are read, in their order. */
  #read: readonly Block[] = [];

  constructor(input: FileInput, index: ArrowIndex, columns: readonly string[] | undefined) {
    this.#input = input;
    this.#index = index;
    this.#chunkBytes = input.chunkBytes;
    this.#decoder = new BatchDecoder(input, index.schema, columns);
  }

  async read(batch: number): Promise<RecordBatch> {
    const block = this.#index.batches[batch]!;
    await this.#readDictionaries(this.#dictionariesOf(block));
    const placed = await this.#messages([block]).next(false);
    return await this.#decoder.readBatch(placed!);
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
    return new FileMessages(this.#input, blocks);
  }
}

/** Whether a type has a dictionary in it. */
function hasDictionary(type: DataType): boolean {
  if (DataType.isDictionary(type)) return true;
  return (type.children ?? []).some((child) => hasDictionary(child.type));
}
