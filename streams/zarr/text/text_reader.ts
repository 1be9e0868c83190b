/**
 * Reads the chunks of an array of text or bytes in a folder.
 *
 * @module
 */

import { ChunkFiles } from "../chunk_files.ts";
import { freeBytes } from "../free_bytes.ts";
import { ShardReader } from "../shard_reader.ts";
import type { Stored } from "../stored_array.ts";
import type { TextItems, TextReader } from "../text_array.ts";
import { ShownText, type StoredText } from "./stored_text.ts";
import type { TextCodec } from "./codec.ts";

/** A reader of an array whose metadata can be given to another one. */
export type StoredTextReader = TextReader & Stored;

/** Bytes of a file that the runtime can read at once. */
const mostBytes = 2 ** 32 - 1;

/** A reader of the chunks of an array. */
export class TextChunkReader extends ShownText implements StoredTextReader {
  readonly #files: ChunkFiles;
  /** The codecs of what is read: a chunk alone, or one of a shard. */
  readonly #codec: TextCodec;

  constructor(array: StoredText) {
    super(array);
    const { codec, shard } = array;
    this.#codec = shard?.inner ?? codec;
    const shards = shard && new ShardReader(shard.index, mostBytes);
    this.#files = new ChunkFiles((index) => array.path(index), shards);
  }

  get bytesRead(): number {
    return this.#files.bytesRead;
  }

  readChunk(index: readonly number[]): Promise<TextItems | undefined> {
    return this.#files.withPath(index, async (path) => {
      const encoded = await this.#files.read(path, index, (numBytes) => {
        if (numBytes <= mostBytes) return new Uint8Array(numBytes);
        throw new Error(`has ${numBytes} bytes, 4 GiB at most can be read`);
      });
      return encoded === undefined ? undefined : await this.#codec.decode(encoded);
    });
  }

  free({ data }: TextItems): void {
    freeBytes(data);
  }
}
