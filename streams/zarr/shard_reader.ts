/**
 * Finds chunks in the files of shards, and keeps some of their indices.
 *
 * @module
 */

import { product } from "../chunks/grid.ts";
import { readFully, withFile } from "./chunk_file.ts";
import type { Shard, ShardRange } from "./codecs/shard.ts";

/** Bytes of indices that are kept, but one at least. */
const keptBytes = 1 << 20;

/** Where a chunk is. */
interface ChunkPlace {
  /** Undefined where its shard has no such chunk. */
  readonly range: ShardRange | undefined;
  /** Bytes that were read to know it. */
  readonly indexBytes: number;
}

/** What is known of a shard. */
interface KnownShard {
  readonly places: BigUint64Array;
  readonly numBytes: number;
}

/** Finds the chunks of an array whose files are shards. */
export class ShardReader {
  /** Bytes of the indices that are kept, and of one that is read. */
  readonly scratchBytes: number;
  readonly #shard: Shard;
  /** Chunks of a shard along each axis. */
  readonly #counts: readonly number[];
  readonly #mostKept: number;
  /** Those that were used last come last. */
  readonly #known = new Map<string, KnownShard>();

  constructor(shard: Shard) {
    this.#shard = shard;
    const { shape, chunk } = shard.grid;
    this.#counts = shape.map((length, axis) => length / chunk[axis]!);
    const bytes = 16 * product(this.#counts);
    this.#mostKept = Math.max(1, Math.floor(keptBytes / bytes));
    this.scratchBytes = this.#mostKept * bytes + 2 * shard.indexBytes + bytes;
  }

  /** The shard in which a chunk is. */
  shardOf(index: readonly number[]): number[] {
    return index.map((place, axis) => Math.floor(place / this.#counts[axis]!));
  }

  /** Finds a chunk in the file of its shard; undefined if there is no such file. */
  async find(path: string, index: readonly number[]): Promise<ChunkPlace | undefined> {
    const known = this.#known.get(path);
    const shard = known ?? await this.#readIndex(path);
    if (shard === undefined) return undefined;
    this.#keep(path, shard);
    const place = index.map((at, axis) => at % this.#counts[axis]!);
    const range = this.#shard.rangeOf(shard.places, place, shard.numBytes);
    return { range, indexBytes: known === undefined ? this.#shard.indexBytes : 0 };
  }

  async #readIndex(path: string): Promise<KnownShard | undefined> {
    const read = withFile(path, ({ file, numBytes }) => {
      const { start, stop } = this.#shard.indexRange(numBytes);
      const encoded = new Uint8Array(stop - start);
      file.seekSync(start, Deno.SeekMode.Start);
      readFully(file, encoded);
      return { encoded, numBytes };
    });
    if (read === undefined) return undefined;
    return { places: await this.#shard.decodeIndex(read.encoded), numBytes: read.numBytes };
  }

  #keep(path: string, shard: KnownShard): void {
    this.#known.delete(path);
    this.#known.set(path, shard);
    if (this.#known.size <= this.#mostKept) return;
    const [oldest] = this.#known.keys();
    this.#known.delete(oldest!);
  }
}
