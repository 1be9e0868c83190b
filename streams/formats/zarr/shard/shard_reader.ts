/**
 * Finds chunks in the files of shards, and keeps some of their indices.
 *
 * @module
 */

import { product } from "../grid/grid.ts";
import { readFully, withFile } from "../files/chunk_file.ts";
import type { ShardIndex, ShardRange } from "../codecs/shard_index.ts";

/** Bytes of indices that are kept, but one at least. */
const keptBytes = 1 << 20;

/** Where a chunk is. */
interface ChunkPlace {
  /** Undefined where its shard has no such chunk. */
  readonly range: ShardRange | undefined;
  /** Bytes that were read to know it. */
  readonly indexBytes: number;
}

/** The index of a shard and its size. */
interface KnownShard {
  readonly places: BigUint64Array<ArrayBuffer>;
  readonly numBytes: number;
}

/** Finds the chunks of an array whose files are shards. */
export class ShardReader {
  /** Bytes of the indices that are kept, and of one that is read. */
  readonly scratchBytes: number;
  readonly #index: ShardIndex;
  /** Bytes of a chunk, at most. */
  readonly #mostBytes: number;
  readonly #mostKept: number;
  /** Those that were used last come last. */
  readonly #known = new Map<string, KnownShard>();

  /** `mostBytes` is what a chunk has at most. */
  constructor(index: ShardIndex, mostBytes: number) {
    this.#index = index;
    this.#mostBytes = mostBytes;
    const bytes = 16 * product(index.counts);
    this.#mostKept = Math.max(1, Math.floor(keptBytes / bytes));
    this.scratchBytes = this.#mostKept * bytes + 2 * index.encodedBytes + bytes;
  }

  /** The shard in which a chunk is. */
  shardOf(index: readonly number[]): number[] {
    return index.map((place, axis) => Math.floor(place / this.#index.counts[axis]!));
  }

  /** Finds a chunk in the file of its shard; undefined if there is no such file. */
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
    // Nobody reads it now: who finds a shard looks at once where its chunk is.
    oldest!.places.buffer.transfer(0);
  }
}
