/**
 * Finds chunks in the files of shards, and caches some indices of shards.
 *
 * @module
 */

import { product } from "../grid/grid.ts";
import { readFully, withFile } from "../files/chunk_file.ts";
import type { ShardIndex, ShardRange } from "../codecs/shard_index.ts";

/** The bytes of indices to cache, but at least one index is cached. */
const keptBytes = 1 << 20;

/** The place of a chunk. */
interface ChunkPlace {
  /** The range in the shard; undefined where the shard does not have the chunk. */
  readonly range: ShardRange | undefined;
  /** The bytes of the index that were read to find it. */
  readonly indexBytes: number;
}

/** The index of a shard and its size. */
interface KnownShard {
  readonly places: BigUint64Array<ArrayBuffer>;
  readonly numBytes: number;
}

/** Finds the chunks of an array whose files are shards. */
export class ShardReader {
  /** The bytes of the cached indices, and of one that is being read. */
  readonly scratchBytes: number;
  readonly #index: ShardIndex;
  /** The greatest number of bytes of a chunk. */
  readonly #mostBytes: number;
  readonly #mostKept: number;
  /** The cached shards, least recently used first. */
  readonly #known = new Map<string, KnownShard>();

  /** `mostBytes` is the greatest number of bytes of a chunk. */
  constructor(index: ShardIndex, mostBytes: number) {
    this.#index = index;
    this.#mostBytes = mostBytes;
    const bytes = 16 * product(index.counts);
    this.#mostKept = Math.max(1, Math.floor(keptBytes / bytes));
    this.scratchBytes = this.#mostKept * bytes + 2 * index.encodedBytes + bytes;
  }

  /** Returns the index of the shard that has a chunk. */
  shardOf(index: readonly number[]): number[] {
    return index.map((place, axis) => Math.floor(place / this.#index.counts[axis]!));
  }

  /** Finds a chunk in the file of its shard; undefined without the file. */
  async find(path: string, index: readonly number[]): Promise<ChunkPlace | undefined> {
    const known = this.#known.get(path);
    const shard = known ?? await this.#readIndex(path);
    if (shard === undefined) return undefined;
    this.#keep(path, shard);
    const place = index.map((at, axis) => at % this.#index.counts[axis]!);
    const limits = { fileBytes: shard.numBytes, mostBytes: this.#mostBytes };
    const range = this.#index.rangeOf(shard.places, place, limits);
    return { range, indexBytes: known === undefined ? this.#index.encodedBytes : 0 };
  }

  async #readIndex(path: string): Promise<KnownShard | undefined> {
    const read = withFile(path, ({ file, numBytes }) => {
      const { start, stop } = this.#index.rangeIn(numBytes);
      const encoded = new Uint8Array(stop - start);
      file.seekSync(start, Deno.SeekMode.Start);
      readFully(file, encoded);
      return { encoded, numBytes };
    });
    if (read === undefined) return undefined;
    const places = await this.#index.decode(read.encoded);
    this.#index.checkApart(places, read.numBytes);
    read.encoded.buffer.transfer(0);
    return { places, numBytes: read.numBytes };
  }

  #keep(path: string, shard: KnownShard): void {
    this.#known.delete(path);
    this.#known.set(path, shard);
    if (this.#known.size <= this.#mostKept) return;
    const [[oldestPath, oldest] = []] = this.#known;
    this.#known.delete(oldestPath!);
    // Nobody uses it any more, since `find` reads the range of its chunk without waiting.
    oldest!.places.buffer.transfer(0);
  }
}
