/**
 * Writes the chunks of an array, each once and in any order, into shards where it has them.
 *
 * @module
 */

import type { ChunkRange } from "../grid/grid.ts";
import { SeenChunks } from "../grid/seen_chunks.ts";
import { type AnyItems, type ArrayWriter, isFixed, type WriterOf } from "../items/array.ts";
import type { ItemsKind } from "../items/items_kind.ts";
import { itemsKindOf } from "../items/any_items.ts";
import { ShardGather } from "../shard/shard_gather.ts";

/** The destination of an array. */
interface ArrayTarget<Items> {
  readonly writer: WriterOf<Items>;
  /** The name of the array, for errors. */
  readonly name: string;
  /** The folder of its files. */
  readonly folder: string;
}

/** Returns the output for a writer of either kind. */
export function outputOf(
  { writer, ...place }: Omit<ArrayTarget<unknown>, "writer"> & { readonly writer: ArrayWriter },
): ArrayOutput<AnyItems> {
  const output = isFixed(writer)
    ? new ArrayOutput({ writer, ...place }, itemsKindOf(writer))
    : new ArrayOutput({ writer, ...place }, itemsKindOf(writer));
  // Chunks of the array have items of its kind.
  return output as ArrayOutput<AnyItems>;
}

/** An array that is being written. */
export class ArrayOutput<Items> {
  readonly #writer: WriterOf<Items>;
  readonly #gather: ShardGather<Items> | undefined;
  readonly #shardFolder: string;
  readonly #seen: SeenChunks;

  constructor({ writer, name, folder }: ArrayTarget<Items>, kind: ItemsKind<Items>) {
    this.#writer = writer;
    this.#seen = new SeenChunks(name, writer.grid);
    this.#shardFolder = `${folder}/.shards`;
    const { grid, writeGrid } = writer;
    if (grid.chunk.some((length, axis) => length !== writeGrid.chunk[axis])) {
      Deno.mkdirSync(this.#shardFolder);
      this.#gather = new ShardGather(writer, kind, this.#shardFolder);
    }
  }

  get bytesWritten(): number {
    return this.#writer.bytesWritten;
  }

  /** Adds a chunk. Throws a RangeError for one that comes twice. */
  async add(
    { index, items }: { readonly index: readonly number[]; readonly items: Items },
  ): Promise<void> {
    this.#seen.add(index);
    if (this.#gather === undefined) await this.#writer.writeChunk(index, items);
    else await this.#gather.add(index, items);
  }

  /** Writes the incomplete shards, and returns the chunks that came, as `SeenChunks.part` does. */
  async end(): Promise<ChunkRange | undefined> {
    const part = this.#seen.part();
    if (this.#gather !== undefined) {
      await this.#gather.end();
      Deno.removeSync(this.#shardFolder, { recursive: true });
    }
    return part;
  }
}
