/**
 * Reads chunks as rows: several chunks of fixed items in a batch, or one chunk of variable items.
 *
 * @module
 */

import type { RecordBatch, Schema } from "apache-arrow";
import type { OpenOptions } from "../../../plan/source.ts";
import { type Grid, product } from "../grid/grid.ts";
import { type AnyItems, type ArrayReader, type FixedReader, isFixed } from "../items/array.ts";
import { readItems } from "../items/any_items.ts";
import { repeatItem } from "../items/repeat_item.ts";
import { ChunkBatches } from "./chunk_batch.ts";

/** An array whose chunks are read as rows. */
export class ChunkRowsReader {
  readonly grid: Grid;
  readonly schema: Schema;
  /** The name of the column with the items. */
  readonly column: string;
  readonly #reader: ArrayReader;
  readonly #batches: ChunkBatches;

  /** Throws a TypeError where chunks are too large for rows. */
  constructor(reader: ArrayReader) {
    this.#reader = reader;
    this.#batches = new ChunkBatches(reader);
    this.grid = reader.grid;
    this.schema = this.#batches.schema;
    this.column = this.#batches.column;
  }

  /** Returns the greatest number of rows of a batch. */
  mostRows(together: OpenOptions["together"]): number {
    const reader = this.#reader;
    if (!isFixed(reader)) return 1;
    const chunkBytes = chunkBytesOf(reader);
    return Math.min(together?.rows ?? 1, Math.floor((together?.bytes ?? 0) / chunkBytes));
  }

  /**
   * Returns the batch of the chunks at some indices, with fill values for missing ones. Reads no chunk
   * where `columns` does not name their column. Undefined once `signal` is aborted.
   */
  async read(
    places: readonly (readonly number[])[],
    { columns, signal }: OpenOptions,
  ): Promise<RecordBatch | undefined> {
    const isWanted = columns?.includes(this.column) ?? true;
    const items = isWanted ? await this.#items(places, signal) : undefined;
    return signal?.aborted ? undefined : this.#batches.batch(places, items, columns);
  }

  /** Reads the items of several chunks into one memory; of a variable size, those of one chunk. */
  async #items(
    places: readonly (readonly number[])[],
    signal: AbortSignal | undefined,
  ): Promise<AnyItems | undefined> {
    const reader = this.#reader;
    if (!isFixed(reader)) return await readItems(reader, places[0]!);
    const chunkBytes = chunkBytesOf(reader);
    const items = new Uint8Array(places.length * chunkBytes);
    for (const [row, place] of places.entries()) {
      if (signal?.aborted) return undefined;
      const into = items.subarray(row * chunkBytes, (row + 1) * chunkBytes);
      if (!await reader.readChunk(place, into)) repeatItem(into, reader.fill);
    }
    return items;
  }
}

function chunkBytesOf({ grid, itemBytes }: FixedReader): number {
  return product(grid.chunk) * itemBytes;
}
