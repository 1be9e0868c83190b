/**
 * A target of rechunking that turns chunks into rows for a consumer that pulls them.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import { numChunks, product } from "../../../streams/formats/zarr/grid/grid.ts";
import {
  type AnyArray,
  type Chunked,
  type FixedArray,
  isFixed,
  type ItemsOf,
  type VariableItems,
} from "../../../streams/formats/zarr/items/array.ts";
import { ArrayInfo } from "../../../streams/formats/zarr/items/array_info.ts";
import { concatItems, copyItems } from "../../../streams/formats/zarr/items/variable_items.ts";
import { ChunkBatches } from "../../../streams/formats/zarr/rows/chunk_batch.ts";
import { itemsBytes } from "../plan/item_sizes.ts";
import { BatchPipe } from "./batch_pipe.ts";

/** Small chunks share a batch, up to these sizes. */
const MOST_ROWS = 8192;
const MOST_BYTES = 1 << 20;
/** The greatest share of an array for a batch of several chunks. */
const BATCH_PART = 1 / 64;

/**
 * Turns written chunks into batches; each write waits until the batch before was taken. The run must
 * write all chunks, also those that are missing from the source.
 */
export class Outlet<A extends AnyArray = AnyArray> extends ArrayInfo<A> {
  readonly scratchBytes: number;
  bytesWritten = 0;
  readonly #pipe = new BatchPipe();
  readonly #rows: ChunkBatches<A>;
  readonly #gathered: Gathered<ItemsOf<A>>;
  #places: (readonly number[])[] = [];

  constructor(array: Chunked<A>) {
    super({ ...array, writeGrid: array.grid });
    this.#rows = new ChunkBatches<A>(array);
    const gathered = isFixed<AnyArray>(array)
      ? new FixedGathered(array)
      : new VariableGathered(array);
    this.#gathered = gathered as unknown as Gathered<ItemsOf<A>>;
    this.scratchBytes = this.#gathered.scratchBytes;
  }

  /** The batches, for one consumer. */
  get batches(): BatchPipe["batches"] {
    return this.#pipe.batches;
  }

  get schema(): Schema {
    return this.#rows.schema;
  }

  /** Runs the function that writes all chunks. Never fails: the consumer gets the error. */
  async pump(write: () => Promise<void>): Promise<void> {
    await this.#pipe.pump(async () => {
      await write();
      await this.#flush();
    });
  }

  /** Copies the items of a chunk. */
  async writeChunk(index: readonly number[], items: ItemsOf<A>): Promise<void> {
    if (!this.#gathered.fits(items)) await this.#flush();
    this.bytesWritten += this.#gathered.add(items);
    this.#places.push(index);
    if (this.#gathered.isFull) await this.#flush();
  }

  hasChunk(): Promise<boolean> {
    return Promise.resolve(false);
  }

  async #flush(): Promise<void> {
    const places = this.#places;
    if (places.length === 0) return;
    this.#places = [];
    await this.#pipe.write(this.#rows.batch(places, this.#gathered.take()));
  }
}

/** The items of several chunks, gathered for one batch. */
interface Gathered<Items> {
  /** The number of bytes that it takes, where that is known in advance. */
  readonly scratchBytes: number;
  /** Whether a chunk fits beside those gathered so far. */
  fits(items: Items): boolean;
  /** Copies a chunk, and returns its bytes. */
  add(items: Items): number;
  readonly isFull: boolean;
  /** Returns the gathered items, and starts anew. */
  take(): Items;
}

/** Gathers chunks of one size in one memory. */
class FixedGathered implements Gathered<Uint8Array> {
  readonly scratchBytes: number;
  #items: Uint8Array<ArrayBuffer> | undefined;
  #numBytes = 0;

  constructor({ grid, itemBytes }: FixedArray) {
    const chunkBytes = product(grid.chunk) * itemBytes;
    const bytes = Math.min(MOST_BYTES, product(grid.shape) * itemBytes * BATCH_PART);
    const numRows = Math.max(1, Math.min(MOST_ROWS, Math.floor(bytes / chunkBytes)));
    this.scratchBytes = numRows * chunkBytes;
  }

  fits(): boolean {
    return true;
  }

  add(items: Uint8Array): number {
    this.#items ??= new Uint8Array(this.scratchBytes);
    this.#items.set(items, this.#numBytes);
    this.#numBytes += items.length;
    return items.length;
  }

  get isFull(): boolean {
    return this.#numBytes === this.scratchBytes;
  }

  take(): Uint8Array {
    const items = this.#items!.subarray(0, this.#numBytes);
    this.#items = undefined;
    this.#numBytes = 0;
    return items;
  }
}

/** Gathers chunks of any size, each in a memory of its own. */
class VariableGathered implements Gathered<VariableItems> {
  readonly scratchBytes = 0;
  readonly #mostRows: number;
  #chunks: VariableItems[] = [];
  #numBytes = 0;

  constructor({ grid }: AnyArray) {
    this.#mostRows = Math.max(1, Math.floor(numChunks(grid) * BATCH_PART));
  }

  fits(items: VariableItems): boolean {
    return this.#numBytes + itemsBytes(items) <= MOST_BYTES;
  }

  add(items: VariableItems): number {
    const numBytes = itemsBytes(items);
    this.#chunks.push(copyItems(items));
    this.#numBytes += numBytes;
    return numBytes;
  }

  get isFull(): boolean {
    return this.#chunks.length >= this.#mostRows || this.#numBytes > MOST_BYTES;
  }

  take(): VariableItems {
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#numBytes = 0;
    return concatItems(chunks);
  }
}
