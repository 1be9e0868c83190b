/**
 * Gathers chunks into shards, which are written as a whole.
 *
 * @module
 */

import { chunkBox, chunksOver, type Grid } from "../grid/grid.ts";
import { writeFully } from "../../../bytes/own_files/fresh_file.ts";
import { readFully } from "../files/chunk_file.ts";
import type { ItemsKind } from "../items/items_kind.ts";

/** The bytes of chunks that wait in memory for the rest of their shards; further chunks wait in files. */
const mostBufferedBytes = 64 << 20;

/** The chunks of a shard that have come. */
interface OpenShard<Items> {
  readonly index: readonly number[];
  /** The chunks in memory, by their number in the shard. */
  readonly inMemory: Map<number, Items>;
  /** The places of the chunks in the file of the shard. */
  readonly stored: Map<number, StoredPlace>;
  /** The number of its chunks, without those beyond the end of the array. */
  readonly numChunks: number;
  fileBytes: number;
}

/** The place of a chunk in a file. */
interface StoredPlace {
  readonly start: number;
  readonly numBytes: number;
}

/** A writer of shards. */
interface ShardWriter<Items> {
  readonly grid: Grid;
  readonly writeGrid: Grid;
  writeChunk(index: readonly number[], items: Items): Promise<void>;
}

/**
 * Takes the chunks of an array in any order, and writes each shard as soon as it has all of its chunks.
 * `end` writes the other shards, with fill values for missing chunks.
 */
export class ShardGather<Items> {
  readonly #writer: ShardWriter<Items>;
  readonly #kind: ItemsKind<Items>;
  readonly #folder: string;
  readonly #mostBytes: number;
  readonly #open = new Map<string, OpenShard<Items>>();
  /** The grid of chunks within a shard. */
  readonly #inside: Grid;
  #bufferedBytes = 0;

  /** Requires that `folder` exists. Its files may be removed at the end. */
  constructor(
    writer: ShardWriter<Items>,
    kind: ItemsKind<Items>,
    folder: string,
    mostBytes: number = mostBufferedBytes,
  ) {
    this.#writer = writer;
    this.#kind = kind;
    this.#folder = folder;
    this.#mostBytes = mostBytes;
    this.#inside = { shape: writer.writeGrid.chunk, chunk: writer.grid.chunk };
  }

  /** Adds the chunk at an index of the grid of chunks. Its memory must not change afterwards. */
  async add(index: readonly number[], items: Items): Promise<void> {
    const perShard = this.#perShard();
    const shard = index.map((place, axis) => Math.floor(place / perShard[axis]!));
    const number = index.reduce((sum, place, axis) => {
      return sum * perShard[axis]! + place % perShard[axis]!;
    }, 0);
    const open = this.#shardAt(shard);
    const numBytes = this.#kind.numBytes(items);
    if (this.#bufferedBytes + numBytes <= this.#mostBytes) {
      open.inMemory.set(number, items);
      this.#bufferedBytes += numBytes;
    } else {
      this.#store(open, number, items);
    }
    if (open.inMemory.size + open.stored.size === open.numChunks) await this.#write(open);
  }

  /** Writes the incomplete shards. */
  async end(): Promise<void> {
    for (const open of this.#open.values()) await this.#write(open);
  }

  #shardAt(index: readonly number[]): OpenShard<Items> {
    const key = index.join();
    let open = this.#open.get(key);
    if (open === undefined) {
      const { grid, writeGrid } = this.#writer;
      const numChunks = [...chunksOver(grid, chunkBox(writeGrid, index))].length;
      open = { index, inMemory: new Map(), stored: new Map(), numChunks, fileBytes: 0 };
      this.#open.set(key, open);
    }
    return open;
  }

  #perShard(): number[] {
    const { shape, chunk } = this.#inside;
    return shape.map((length, axis) => length / chunk[axis]!);
  }

  async #write(open: OpenShard<Items>): Promise<void> {
    const shape = this.#inside.shape;
    const whole = { start: shape.map(() => 0), stop: shape };
    const chunks = Array.from(chunksOver(this.#inside, whole), (place, number) => ({
      box: chunkBox(this.#inside, place),
      items: open.inMemory.get(number) ?? this.#stored(open, number),
    }));
    const items = this.#kind.join(chunks);
    this.#open.delete(open.index.join());
    for (const chunk of open.inMemory.values()) this.#bufferedBytes -= this.#kind.numBytes(chunk);
    if (open.stored.size > 0) Deno.removeSync(this.#pathOf(open));
    await this.#writer.writeChunk(open.index, items);
  }

  #pathOf({ index }: OpenShard<Items>): string {
    return `${this.#folder}/shard.${index.join(".")}`;
  }

  #store(open: OpenShard<Items>, number: number, items: Items): void {
    const bytes = this.#kind.toBytes(items);
    using file = Deno.openSync(this.#pathOf(open), { write: true, create: true });
    file.seekSync(open.fileBytes, Deno.SeekMode.Start);
    writeFully(file, bytes);
    open.stored.set(number, { start: open.fileBytes, numBytes: bytes.length });
    open.fileBytes += bytes.length;
  }

  #stored(open: OpenShard<Items>, number: number): Items | undefined {
    const place = open.stored.get(number);
    if (place === undefined) return undefined;
    using file = Deno.openSync(this.#pathOf(open));
    file.seekSync(place.start, Deno.SeekMode.Start);
    const bytes = new Uint8Array(place.numBytes);
    readFully(file, bytes);
    return this.#kind.fromBytes(bytes);
  }
}
