/**
 * Reads chunks as rows: those of numbers several to a batch, those whose items have any length alone.
 *
 * @module
 */

import type { RecordBatch, Schema } from "apache-arrow";
import { ChunkBatches } from "./chunk_batch.ts";
import { type Grid, product } from "../grid/grid.ts";
import { TextBatches } from "./text_batch.ts";
import type { OpenOptions } from "../../../plan/source.ts";
import { repeatItem } from "../items/repeat_item.ts";
import { repeatText } from "../items/text_boxes.ts";
import type { TextReader } from "../items/text_array.ts";
import type { ZarrReader } from "../items/zarr_array.ts";

/** An array whose chunks are read as rows. */
export interface ChunkRowsReader {
  readonly grid: Grid;
  readonly schema: Schema;
  /** The column with the items. */
  readonly column: string;
  /** Rows that a batch may have. */
  mostRows(together: OpenOptions["together"]): number;
  /**
   * The batch of the chunks at some places; of missing ones, fill values. Reads none where `columns`
   * does not name them. Undefined once `signal` is aborted.
   */
  read(
    places: readonly (readonly number[])[],
    options: OpenOptions,
  ): Promise<RecordBatch | undefined>;
}

/** Makes rows of the chunks of an array. Throws a TypeError where they are too large for that. */
export function chunkRowsReader(reader: ZarrReader | TextReader): ChunkRowsReader {
  return "itemBytes" in reader ? new NumberRows(reader) : new TextRows(reader);
}

class NumberRows implements ChunkRowsReader {
  readonly grid: Grid;
  readonly #reader: ZarrReader;
  readonly #batches: ChunkBatches;
  readonly #chunkBytes: number;

  constructor(reader: ZarrReader) {
    this.grid = reader.grid;
    this.#reader = reader;
    this.#batches = new ChunkBatches(reader);
    this.#chunkBytes = product(reader.grid.chunk) * reader.itemBytes;
  }

  get schema(): Schema {
    return this.#batches.schema;
  }

  get column(): string {
    return this.#batches.column;
  }

  mostRows(together: OpenOptions["together"]): number {
    return Math.min(together?.rows ?? 1, Math.floor((together?.bytes ?? 0) / this.#chunkBytes));
  }

  async read(
    places: readonly (readonly number[])[],
    { columns, signal }: OpenOptions,
  ): Promise<RecordBatch | undefined> {
    const isWanted = columns?.includes(this.column) ?? true;
    const items = isWanted ? new Uint8Array(places.length * this.#chunkBytes) : undefined;
    for (const [row, place] of items === undefined ? [] : places.entries()) {
      const into = items!.subarray(row * this.#chunkBytes, (row + 1) * this.#chunkBytes);
      if (!await this.#reader.readChunk(place, into)) repeatItem(into, this.#reader.fill);
      if (signal?.aborted) return undefined;
    }
    return this.#batches.batch(places, items, columns);
  }
}

class TextRows implements ChunkRowsReader {
  readonly grid: Grid;
  readonly #reader: TextReader;
  readonly #batches: TextBatches;

  constructor(reader: TextReader) {
    this.grid = reader.grid;
    this.#reader = reader;
    this.#batches = new TextBatches(reader);
  }

  get schema(): Schema {
    return this.#batches.schema;
  }

  get column(): string {
    return this.#batches.column;
  }

  mostRows(): number {
    return 1;
  }

  async read(
    places: readonly (readonly number[])[],
    { columns, signal }: OpenOptions,
  ): Promise<RecordBatch | undefined> {
    const isWanted = columns?.includes(this.column) ?? true;
    const [place] = places as [readonly number[]];
    const items = isWanted
      ? await this.#reader.readChunk(place) ??
        repeatText(product(this.grid.chunk), this.#reader.fill)
      : undefined;
    return signal?.aborted ? undefined : this.#batches.batch(places, items, columns);
  }
}
