/**
 * Reads the chunks of an array of variable items in a folder.
 *
 * @module
 */

import { product } from "../grid/grid.ts";
import { ChunkFiles } from "./chunk_files.ts";
import { TooLargeError } from "../../../../base/errors/data_error.ts";
import { mostReadBytes } from "../codecs/too_large.ts";
import { freeBytes } from "../items/free_bytes.ts";
import { ShardReader } from "../shard/shard_reader.ts";
import type { VariableArray, VariableItems, VariableReader } from "../items/array.ts";
import type { VariableCodec } from "../codecs/codec.ts";
import { mostDataBytes } from "../items/variable_items.ts";
import { ShownArray, type StoredVariable } from "./stored_array.ts";

/** The number of bytes of an offset. */
const offsetBytes = 4;

/** Reads each chunk into memory of its own. */
export class VariableChunkReader extends ShownArray<VariableArray> implements VariableReader {
  readonly #files: ChunkFiles;
  /** The codecs of the chunks to read: separate chunks, or those of a shard. */
  readonly #codec: VariableCodec;
  /** The default limit of items with their offsets: what offsets can count. */
  readonly #mostDecoded: number;

  constructor(array: StoredVariable) {
    super(array);
    const { codec, shard } = array;
    this.#codec = shard?.inner ?? codec;
    this.#mostDecoded = mostDataBytes + offsetBytes * (product(this.#codec.shape) + 1);
    const shards = shard && new ShardReader(shard.index, mostReadBytes);
    this.#files = new ChunkFiles(array, shards);
  }

  get bytesRead(): number {
    return this.#files.bytesRead;
  }

  readChunk(index: readonly number[], mostBytes?: number): Promise<VariableItems | undefined> {
    const mostDecoded = mostBytes ?? this.#mostDecoded;
    const mostEncoded = Math.min(this.#codec.encodedBytes(mostDecoded), mostReadBytes);
    return this.#files.withPath(index, async (path) => {
      const encoded = await this.#files.read(path, index, (numBytes) => {
        if (numBytes <= mostEncoded) return new Uint8Array(numBytes);
        throw new TooLargeError(`has ${numBytes} bytes; at most ${mostEncoded} can be read`);
      });
      return encoded === undefined ? undefined : await this.#codec.decode(encoded, mostDecoded);
    });
  }

  free({ data }: VariableItems): void {
    freeBytes(data);
  }
}
