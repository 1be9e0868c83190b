/**
 * Writes the chunks of an array of text or bytes in a folder.
 *
 * @module
 */

import { chunkBox, chunksOver, product } from "../grid/grid.ts";
import { syncTree } from "../../../bytes/own_files/durable.ts";
import { toFileError } from "../../../../base/errors/wrap_error.ts";
import { hasFile, removeFile, writeWhole } from "../files/chunk_file.ts";
import { freeBytes } from "../items/free_bytes.ts";
import { writeShard } from "../shard/shard_file.ts";
import type { Stored } from "./stored_array.ts";
import type { TextItems, TextWriter } from "../items/text_array.ts";
import { ShownText, type StoredText } from "./stored_text.ts";
import { areAll } from "../items/text_boxes.ts";
import { TextChunkReader } from "./text_reader.ts";

/** A writer of an array whose metadata is known. */
export type StoredTextWriter = TextWriter & Stored;

/** A writer of the chunks of an array. */
export class TextChunkWriter extends ShownText implements StoredTextWriter {
  bytesWritten = 0;
  readonly #array: StoredText;

  constructor(array: StoredText) {
    super(array);
    this.#array = array;
  }

  async writeChunk(index: readonly number[], items: TextItems): Promise<void> {
    const { spec, codec, shard } = this.#array;
    const path = this.#array.path(index);
    try {
      const numItems = items.offsets.length - 1;
      if (numItems !== product(spec.chunk)) {
        throw new RangeError(`gets ${numItems} items, a chunk has ${product(spec.chunk)}`);
      }
      if (spec.hasFill && areAll(items, spec.fill)) return removeFile(path);
      if (shard !== undefined) {
        this.bytesWritten += await writeShard(path, shard, items);
        return;
      }
      const encoded = await codec.encode(items);
      this.bytesWritten += writeWhole(path, encoded);
      freeBytes(encoded);
    } catch (cause) {
      throw toFileError(path, cause);
    }
  }

  async hasChunk(index: readonly number[]): Promise<boolean> {
    if (!await hasFile(this.#array.path(index))) return false;
    const reader = new TextChunkReader(this.#array);
    try {
      for (const chunk of chunksOver(this.grid, chunkBox(this.writeGrid, index))) {
        const items = await reader.readChunk(chunk);
        if (items !== undefined) reader.free(items);
      }
      return true;
    } catch {
      // It is torn: the machine ended before the system had written all of it.
      return false;
    }
  }

  sync(): Promise<void> {
    return syncTree(this.name);
  }
}
