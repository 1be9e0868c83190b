/**
 * Gathers chunks to shards, which are written whole.
 *
 * @module
 */

import { type Box, boxShape, chunkBox, chunksOver, type Grid, product } from "../chunks/grid.ts";
import { repeatItem } from "./repeat_item.ts";
import type { ZarrWriter } from "./zarr_array.ts";

/** Bytes of chunks that wait in memory for the others of their shards; more wait in files. */
const mostHeldBytes = 64 << 20;

/** The chunks of a shard that have come. */
interface OpenShard {
  readonly index: readonly number[];
  /** Those in memory, by their number in the shard. */
  readonly held: Map<number, Uint8Array>;
  /** The numbers of those in the file of the shard, where each has its place. */
  readonly stored: Set<number>;
  /** How many it has, without those behind the end of the array. */
  readonly numChunks: number;
}

/**
 * Takes the chunks of an array in any order, and writes each shard as soon as it has all of its
 * chunks. `end` writes the others, with fill values for what has not come.
 */
export class ShardGather {
  readonly #writer: ZarrWriter;
  readonly #folder: string;
  readonly #mostBytes: number;
  readonly #open = new Map<string, OpenShard>();
  readonly #chunkBytes: number;
  /** The grid of chunks within a shard. */
  readonly #inside: Grid;
  #heldBytes = 0;

  /** `folder` exists, and what is put there may be removed at the end. */
  constructor(writer: ZarrWriter, folder: string, mostBytes: number = mostHeldBytes) {
    this.#writer = writer;
    this.#folder = folder;
    this.#mostBytes = mostBytes;
    const { grid, writeGrid, itemBytes } = writer;
    this.#inside = { shape: writeGrid.chunk, chunk: grid.chunk };
    this.#chunkBytes = product(grid.chunk) * itemBytes;
  }

  /** Takes the chunk at a place of the grid of chunks. Its memory must not change afterwards. */
  async add(index: readonly number[], items: Uint8Array): Promise<void> {
    const perShard = this.#perShard();
    const shard = index.map((place, axis) => Math.floor(place / perShard[axis]!));
    const number = index.reduce((sum, place, axis) => {
      return sum * perShard[axis]! + place % perShard[axis]!;
    }, 0);
    const open = this.#shardAt(shard);
    if (this.#heldBytes + items.length <= this.#mostBytes) {
      open.held.set(number, items);
      this.#heldBytes += items.length;
    } else {
      this.#store(open, number, items);
    }
    if (open.held.size + open.stored.size === open.numChunks) await this.#write(open);
  }

  /** Writes what is not complete. */
  async end(): Promise<void> {
    for (const open of this.#open.values()) await this.#write(open);
  }

  #shardAt(index: readonly number[]): OpenShard {
    const key = index.join();
    let open = this.#open.get(key);
    if (open === undefined) {
      const { grid, writeGrid } = this.#writer;
      const numChunks = [...chunksOver(grid, chunkBox(writeGrid, index))].length;
      open = { index, held: new Map(), stored: new Set(), numChunks };
      this.#open.set(key, open);
    }
    return open;
  }

  #perShard(): number[] {
    const { shape, chunk } = this.#inside;
    return shape.map((length, axis) => length / chunk[axis]!);
  }

  async #write(open: OpenShard): Promise<void> {
    const { writeGrid, itemBytes, fill } = this.#writer;
    const items = new Uint8Array(product(writeGrid.chunk) * itemBytes);
    repeatItem(items, fill);
    let number = 0;
    const whole = { start: writeGrid.chunk.map(() => 0), stop: writeGrid.chunk };
    for (const place of chunksOver(this.#inside, whole)) {
      const chunk = open.held.get(number) ?? this.#stored(open, number);
      const box = chunkBox(this.#inside, place);
      if (chunk !== undefined) copyInto(items, writeGrid.chunk, box, chunk, itemBytes);
      number++;
    }
    this.#open.delete(open.index.join());
    this.#heldBytes -= open.held.size * this.#chunkBytes;
    if (open.stored.size > 0) Deno.removeSync(this.#pathOf(open));
    await this.#writer.writeChunk(open.index, items);
  }

  #pathOf({ index }: OpenShard): string {
    return `${this.#folder}/shard.${index.join(".")}`;
  }

  #store(open: OpenShard, number: number, items: Uint8Array): void {
    using file = Deno.openSync(this.#pathOf(open), { write: true, create: true });
    file.seekSync(number * this.#chunkBytes, Deno.SeekMode.Start);
    for (let done = 0; done < items.length;) done += file.writeSync(items.subarray(done));
    open.stored.add(number);
  }

  #stored(open: OpenShard, number: number): Uint8Array | undefined {
    if (!open.stored.has(number)) return undefined;
    using file = Deno.openSync(this.#pathOf(open));
    file.seekSync(number * this.#chunkBytes, Deno.SeekMode.Start);
    const items = new Uint8Array(this.#chunkBytes);
    for (let done = 0; done < items.length;) {
      const numRead = file.readSync(items.subarray(done));
      if (numRead === null) throw new Error("its temporary files were cut short");
      done += numRead;
    }
    return items;
  }
}

/** Copies the items of a box, one after the other in `from`, to their places in a shape. */
function copyInto(
  into: Uint8Array,
  shape: readonly number[],
  box: Box,
  from: Uint8Array,
  itemBytes: number,
): void {
  const lengths = boxShape(box);
  const runBytes = (lengths.at(-1) ?? 1) * itemBytes;
  const outer = { start: box.start.slice(0, -1), stop: box.stop.slice(0, -1) };
  let at = 0;
  // Each place of the outer axes is a run along the last one.
  for (const place of chunksOver({ shape, chunk: outer.start.map(() => 1) }, outer)) {
    const row = place.reduce((sum, step, axis) => sum * shape[axis]! + step, 0);
    const start = (row * (shape.at(-1) ?? 1) + (box.start.at(-1) ?? 0)) * itemBytes;
    into.set(from.subarray(at, at + runBytes), start);
    at += runBytes;
  }
}
