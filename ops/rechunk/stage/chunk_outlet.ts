/**
 * A target of rechunking whose chunks are rows for one who pulls them.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import type {
  ChunkedArray,
  ZarrArrayInfo,
  ZarrWriter,
} from "../../../streams/formats/zarr/items/zarr_array.ts";
import { ChunkBatches } from "../../../streams/formats/zarr/rows/chunk_batch.ts";
import {
  allChunks,
  chunkBox,
  chunksOver,
  type Grid,
  product,
} from "../../../streams/formats/zarr/grid/grid.ts";
import { repeatItem } from "../../../streams/formats/zarr/items/repeat_item.ts";
import { BatchPipe } from "./batch_pipe.ts";
import type { RechunkPlan } from "../plan/rechunk_plan.ts";

/** Small chunks come several to a batch, up to these sizes. */
const mostRows = 8192;
const mostBytes = 1 << 20;
/** The part of an array that a batch of several chunks may be. */
const batchPart = 1 / 64;

/**
 * Gives the chunks that are written as batches, each when the one before was taken. Chunks that are
 * missing come as well, as fill values, in the order in which all would come.
 */
export class ChunkOutlet implements ZarrWriter {
  readonly name: string;
  readonly grid: Grid;
  readonly writeGrid: Grid;
  readonly dataType: string;
  readonly itemBytes: number;
  readonly fill: Uint8Array<ArrayBuffer>;
  readonly dimensionNames: ZarrArrayInfo["dimensionNames"];
  readonly attributes: ZarrArrayInfo["attributes"];
  readonly scratchBytes: number;
  bytesWritten = 0;
  readonly #pipe = new BatchPipe();
  readonly #rows: ChunkBatches;
  readonly #chunkBytes: number;
  /** Chunks of a batch. */
  readonly #numRows: number;
  #expected: Iterator<readonly number[]> = [][Symbol.iterator]();
  #places: (readonly number[])[] = [];
  #items: Uint8Array<ArrayBuffer> | undefined;

  constructor(array: ChunkedArray) {
    this.name = array.name;
    this.grid = array.grid;
    this.writeGrid = array.grid;
    this.dataType = array.dataType;
    this.itemBytes = array.itemBytes;
    this.fill = array.fill;
    this.dimensionNames = array.dimensionNames;
    this.attributes = array.attributes;
    this.#rows = new ChunkBatches(array);
    this.#chunkBytes = product(array.grid.chunk) * array.itemBytes;
    const bytes = Math.min(mostBytes, product(array.grid.shape) * array.itemBytes * batchPart);
    this.#numRows = Math.max(1, Math.min(mostRows, Math.floor(bytes / this.#chunkBytes)));
    this.scratchBytes = this.#numRows * this.#chunkBytes;
  }

  /** The batches, of one run. */
  get batches(): BatchPipe["batches"] {
    return this.#pipe.batches;
  }

  get schema(): Schema {
    return this.#rows.schema;
  }

  /** Runs what writes all chunks by a plan. Never fails: who pulls the batches gets the error. */
  async give({ stages, direct }: RechunkPlan, write: () => Promise<void>): Promise<void> {
    this.#expected = chunksByBox(this.grid, stages.at(-1)?.write ?? direct!);
    await this.#pipe.give(async () => {
      await write();
      await this.#fillUntil(undefined);
      if (this.#places.length > 0) await this.#flush();
    });
  }

  async writeChunk(index: readonly number[], items: Uint8Array): Promise<void> {
    await this.#fillUntil(index);
    this.#place(index).set(items);
    await this.#flushFull();
    this.bytesWritten += items.length;
  }

  hasChunk(): Promise<boolean> {
    return Promise.resolve(false);
  }

  /** Gives the chunks that should have come before one, or before the end. */
  async #fillUntil(index: readonly number[] | undefined): Promise<void> {
    for (;;) {
      const { done, value: place } = this.#expected.next();
      if (done) {
        if (index === undefined) return;
        throw new RangeError(`${this.name}: the chunk at ${index} comes out of turn`);
      }
      if (index !== undefined && place.every((at, axis) => at === index[axis])) return;
      repeatItem(this.#place(place), this.fill);
      await this.#flushFull();
    }
  }

  /** The memory for one more chunk of the batch. */
  #place(index: readonly number[]): Uint8Array {
    this.#items ??= new Uint8Array(this.#numRows * this.#chunkBytes);
    const at = this.#places.push(index) - 1;
    return this.#items.subarray(at * this.#chunkBytes, (at + 1) * this.#chunkBytes);
  }

  async #flushFull(): Promise<void> {
    if (this.#places.length === this.#numRows) await this.#flush();
  }

  async #flush(): Promise<void> {
    const places = this.#places;
    const items = this.#items!.subarray(0, places.length * this.#chunkBytes);
    this.#places = [];
    this.#items = undefined;
    await this.#pipe.write(this.#rows.batch(places, items));
  }
}

/** The chunks of a grid, box by box. */
function* chunksByBox(grid: Grid, box: readonly number[]): Generator<readonly number[]> {
  const boxes = { shape: grid.shape, chunk: box };
  for (const index of allChunks(boxes)) yield* chunksOver(grid, chunkBox(boxes, index));
}
