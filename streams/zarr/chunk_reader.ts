/**
 * Reads the chunks of an array in a folder.
 *
 * @module
 */

import { toFileError } from "../errors.ts";
import type { ZarrMetadata } from "./array_spec.ts";
import { readFully, withFile } from "./chunk_file.ts";
import type { ChunkCodec } from "./codecs/codec.ts";
import { mostBytesOf } from "./codecs/shard.ts";
import { turnBytes } from "./codecs/turn_bytes.ts";
import { ShardReader } from "./shard_reader.ts";
import { ShownArray, type StoredArray } from "./stored_array.ts";
import type { ZarrReader } from "./zarr_array.ts";

/** A reader of an array whose metadata can be given to another one. */
export interface StoredZarrReader extends ZarrReader {
  readonly metadata: ZarrMetadata;
}

/** A reader of the chunks of an array. */
export function chunkReader(array: StoredArray): StoredZarrReader {
  return new ChunkReader(array);
}

class ChunkReader extends ShownArray implements StoredZarrReader {
  readonly scratchBytes: number;
  bytesRead = 0;
  readonly #array: StoredArray;
  /** The codecs of what is read: a chunk alone, or one of a shard. */
  readonly #codec: ChunkCodec;
  readonly #shards: ShardReader | undefined;
  /** The buffers of encoded chunks that nobody uses now. */
  readonly #buffers: Uint8Array[] = [];

  constructor(array: StoredArray) {
    super(array);
    const { codec, shard } = array;
    this.#array = array;
    this.#codec = shard?.inner ?? codec;
    this.#shards = shard && new ShardReader(shard.index, mostBytesOf(shard.inner));
    const isPlain = this.#codec.turnedBytes !== undefined;
    this.scratchBytes = (isPlain ? 0 : this.#codec.encodedBytes + this.#codec.decodeScratch) +
      (this.#shards?.scratchBytes ?? 0);
  }

  async readChunk(index: readonly number[], into: Uint8Array): Promise<boolean> {
    const path = this.#pathOf(index);
    try {
      return this.#codec.turnedBytes !== undefined
        ? await this.#readPlain(path, index, into, this.#codec.turnedBytes)
        : await this.#readEncoded(path, index, into);
    } catch (cause) {
      throw toFileError(path, cause);
    }
  }

  #pathOf(index: readonly number[]): string {
    return this.#array.path(this.#shards?.shardOf(index) ?? index);
  }

  /** Straight into the buffer of the caller. */
  async #readPlain(
    path: string,
    index: readonly number[],
    into: Uint8Array,
    turned: number,
  ): Promise<boolean> {
    const found = await this.#read(path, index, (numBytes) => {
      if (numBytes === into.length) return into;
      throw new Error(`has ${numBytes} bytes, a chunk has ${into.length}`);
    });
    if (found === undefined) return false;
    turnBytes(into, turned);
    return true;
  }

  async #readEncoded(
    path: string,
    index: readonly number[],
    into: Uint8Array,
  ): Promise<boolean> {
    const buffer = this.#buffers.pop() ?? new Uint8Array(this.#codec.encodedBytes);
    const mostBytes = mostBytesOf(this.#codec);
    try {
      const encoded = await this.#read(path, index, (numBytes) => {
        if (numBytes <= buffer.length) return buffer.subarray(0, numBytes);
        if (numBytes <= mostBytes) return new Uint8Array(numBytes);
        throw new Error(`has ${numBytes} bytes, a chunk ${mostBytes} at most`);
      });
      if (encoded === undefined) return false;
      await this.#codec.decode(encoded, into);
      return true;
    } finally {
      this.#buffers.push(buffer);
    }
  }

  /** Reads the bytes of a chunk into the room that is given for so many; undefined if it is missing. */
  async #read(
    path: string,
    index: readonly number[],
    roomFor: (numBytes: number) => Uint8Array,
  ): Promise<Uint8Array | undefined> {
    const place = await this.#shards?.find(path, index);
    if (place !== undefined) this.bytesRead += place.indexBytes;
    if (this.#shards !== undefined && place?.range === undefined) return undefined;
    return withFile(path, ({ file, numBytes }) => {
      const { start, stop } = place?.range ?? { start: 0, stop: numBytes };
      const room = roomFor(stop - start);
      if (start > 0) file.seekSync(start, Deno.SeekMode.Start);
      readFully(file, room);
      this.bytesRead += room.length;
      return room;
    });
  }
}
