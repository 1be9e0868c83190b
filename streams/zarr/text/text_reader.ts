/**
 * Reads the chunks of an array of text or bytes in a folder.
 *
 * @module
 */

import { toFileError } from "../../errors.ts";
import type { ZarrMetadata } from "../array_spec.ts";
import { readFully, withFile } from "../chunk_file.ts";
import { ShardReader } from "../shard_reader.ts";
import type { TextItems, TextReader } from "../text_array.ts";
import { ShownText, type StoredText } from "./stored_text.ts";
import type { TextCodec } from "./codec.ts";

/** A reader of an array whose metadata can be given to another one. */
export interface StoredTextReader extends TextReader {
  readonly metadata: ZarrMetadata;
}

/** Bytes of a file that the runtime can read at once. */
const mostBytes = 2 ** 32 - 1;

/** A reader of the chunks of an array. */
export class TextChunkReader extends ShownText implements StoredTextReader {
  bytesRead = 0;
  readonly #array: StoredText;
  /** The codecs of what is read: a chunk alone, or one of a shard. */
  readonly #codec: TextCodec;
  readonly #shards: ShardReader | undefined;

  constructor(array: StoredText) {
    super(array);
    this.#array = array;
    this.#codec = array.shard?.inner ?? array.codec;
    this.#shards = array.shard && new ShardReader(array.shard.index, mostBytes);
  }

  async readChunk(index: readonly number[]): Promise<TextItems | undefined> {
    const path = this.#array.path(this.#shards?.shardOf(index) ?? index);
    try {
      const encoded = await this.#read(path, index);
      return encoded === undefined ? undefined : await this.#codec.decode(encoded);
    } catch (cause) {
      throw toFileError(path, cause);
    }
  }

  /** The bytes of a chunk; undefined if it is missing. */
  async #read(path: string, index: readonly number[]): Promise<Uint8Array | undefined> {
    const place = await this.#shards?.find(path, index);
    if (place !== undefined) this.bytesRead += place.indexBytes;
    if (this.#shards !== undefined && place?.range === undefined) return undefined;
    return withFile(path, ({ file, numBytes }) => {
      const { start, stop } = place?.range ?? { start: 0, stop: numBytes };
      if (stop - start > mostBytes) {
        throw new Error(`has ${stop - start} bytes, 4 GiB at most can be read`);
      }
      const encoded = new Uint8Array(stop - start);
      if (start > 0) file.seekSync(start, Deno.SeekMode.Start);
      readFully(file, encoded);
      this.bytesRead += encoded.length;
      return encoded;
    });
  }
}
