/**
 * Reads the chunks of an array of fixed items in a folder.
 *
 * @module
 */

import { ChunkFiles } from "./chunk_files.ts";
import type { ChunkCodec } from "../codecs/codec.ts";
import { mostBytesOf } from "../codecs/fixed_shard.ts";
import { turnBytes } from "../codecs/turn_bytes.ts";
import { ShardReader } from "../shard/shard_reader.ts";
import type { FixedArray, FixedReader } from "../items/array.ts";
import { ShownArray, type StoredFixed } from "./stored_array.ts";

/** Reads each chunk into memory of its full size. */
export class FixedChunkReader extends ShownArray<FixedArray> implements FixedReader {
  readonly scratchBytes: number;
  readonly #files: ChunkFiles;
  /** The codecs of the chunks to read: separate chunks, or those of a shard. */
  readonly #codec: ChunkCodec;

  constructor(array: StoredFixed) {
    super(array);
    const { codec, shard } = array;
    this.#codec = shard?.inner ?? codec;
    const shards = shard && new ShardReader(shard.index, mostBytesOf(shard.inner));
    this.#files = new ChunkFiles(array, shards);
    const isPlain = this.#codec.turnedBytes !== undefined;
    this.scratchBytes = (isPlain ? 0 : this.#codec.encodedBytes + this.#codec.decodeScratch) +
      (shards?.scratchBytes ?? 0);
  }

  get bytesRead(): number {
    return this.#files.bytesRead;
  }

  addBytesRead(numBytes: number): void {
    this.#files.bytesRead += numBytes;
  }

  readChunk(index: readonly number[], into: Uint8Array): Promise<boolean> {
    const turned = this.#codec.turnedBytes;
    return this.#files.withPath(
      index,
      (path) =>
        turned !== undefined
          ? this.#readPlain(path, index, into, turned)
          : this.#readEncoded(path, index, into),
    );
  }

  /** Reads directly into the buffer of the caller. */
  async #readPlain(
    path: string,
    index: readonly number[],
    into: Uint8Array,
    turned: number,
  ): Promise<boolean> {
    const found = await this.#files.read(path, index, (numBytes) => {
      if (numBytes === into.length) return into;
      throw new Error(`has ${numBytes} bytes, but a chunk has ${into.length}`);
    });
    if (found === undefined) return false;
    turnBytes(into, turned);
    return true;
  }

  #readEncoded(path: string, index: readonly number[], into: Uint8Array): Promise<boolean> {
    return this.#codec.pool.use(async (take) => {
      const buffer = take(this.#codec.encodedBytes);
      const mostBytes = mostBytesOf(this.#codec);
      const encoded = await this.#files.read(path, index, (numBytes) => {
        if (numBytes <= buffer.length) return buffer.subarray(0, numBytes);
        if (numBytes <= mostBytes) return new Uint8Array(numBytes);
        throw new Error(`has ${numBytes} bytes, but a chunk has at most ${mostBytes}`);
      });
      if (encoded === undefined) return false;
      await this.#codec.decode(encoded, into);
      return true;
    });
  }
}
