/**
 * Writes the chunks of an array, each once and in any order, also where they lie in shards.
 *
 * @module
 */

import type { ChunkRange, Grid } from "../grid/grid.ts";
import { SeenChunks } from "../grid/seen_chunks.ts";
import { type ItemsForm, numbersForm, textForm } from "../items/items_form.ts";
import { ShardGather } from "../shard/shard_gather.ts";
import type { TextItems, TextWriter } from "../items/text_array.ts";
import type { ZarrWriter } from "../items/zarr_array.ts";

/** Where an array is written. */
interface ArrayTarget<Writer> {
  readonly writer: Writer;
  /** The name of the array, for errors. */
  readonly name: string;
  /** The folder of its files. */
  readonly folder: string;
}

/** What is written to an array with a writer of some kind. */
export function outputOf(
  { writer, ...place }: ArrayTarget<ZarrWriter | TextWriter>,
): ArrayOutput<Uint8Array> | ArrayOutput<TextItems> {
  return "itemBytes" in writer
    ? new ArrayOutput({ writer, ...place }, numbersForm(writer))
    : new ArrayOutput({ writer, ...place }, textForm(writer));
}

/** A writer of chunks of any kind. */
interface AnyWriter<Items> {
  readonly grid: Grid;
  readonly writeGrid: Grid;
  readonly bytesWritten: number;
  writeChunk(index: readonly number[], items: Items): Promise<void>;
}

/** An array that is being written. */
export class ArrayOutput<Items> {
  readonly #writer: AnyWriter<Items>;
  readonly #gather: ShardGather<Items> | undefined;
  readonly #shardFolder: string;
  readonly #seen: SeenChunks;

  constructor({ writer, name, folder }: ArrayTarget<AnyWriter<Items>>, form: ItemsForm<Items>) {
    this.#writer = writer;
    this.#seen = new SeenChunks(name, writer.grid);
    this.#shardFolder = `${folder}/.shards`;
    const { grid, writeGrid } = writer;
    if (grid.chunk.some((length, axis) => length !== writeGrid.chunk[axis])) {
      Deno.mkdirSync(this.#shardFolder);
      this.#gather = new ShardGather(writer, form, this.#shardFolder);
    }
  }

  get bytesWritten(): number {
    return this.#writer.bytesWritten;
  }

  /** Takes a chunk. Throws a RangeError for one that comes twice. */
  async add(
    { index, items }: { readonly index: readonly number[]; readonly items: Items },
  ): Promise<void> {
    this.#seen.add(index);
    if (this.#gather === undefined) await this.#writer.writeChunk(index, items);
    else await this.#gather.add(index, items);
  }

  /** Writes what is left, and gives the chunks that came, as `SeenChunks.part`. */
  async end(): Promise<ChunkRange | undefined> {
    const part = this.#seen.part();
    if (this.#gather !== undefined) {
      await this.#gather.end();
      Deno.removeSync(this.#shardFolder, { recursive: true });
    }
    return part;
  }
}
