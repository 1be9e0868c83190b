/**
 * Rechunks columns in place: chunks on a device become others there, without a copy to the host.
 *
 * @module
 */

import { Schema } from "apache-arrow";
import type { Backend, BoxesRequest } from "../../../gpu/backend.ts";
import { type BoxCopy, denseStrides } from "../../../gpu/column/boxes/box_copy.ts";
import type { Column } from "../../../gpu/column/column.ts";
import type { Chunked, FixedArray } from "../../../streams/formats/zarr/items/array.ts";
import { ChunkBatches, type ChunkFinder } from "../../../streams/formats/zarr/rows/chunk_batch.ts";
import { originName } from "../../../streams/formats/zarr/rows/chunk_rows.ts";
import {
  allChunks,
  type Box,
  boxShape,
  chunkBox,
  chunksOver,
  type Grid,
  intersect,
  product,
} from "../../../streams/formats/zarr/grid/grid.ts";
import { SeenChunks } from "../../../streams/formats/zarr/grid/seen_chunks.ts";
import { Batch } from "../../batch/batch.ts";
import { BatchColumn } from "../../batch/batch_column.ts";
import type { StageContext } from "../../engine/node.ts";

/** The greatest number of bytes of a resulting batch, unless one chunk is larger. */
const BATCH_BYTES = 16 << 20;

/** A column whose rows are chunks of an array. */
interface ChunkColumn {
  readonly batch: Batch;
  readonly column: Column;
}

/** The place of a chunk: the index of its column, and its row. */
interface ChunkRow {
  readonly source: number;
  readonly row: number;
}

/** Buffers the chunks of an array where they are, and releases all their batches when disposed. */
export class ColumnChunks implements Disposable {
  readonly #finder: ChunkFinder;
  readonly #context: StageContext;
  readonly #columns: ChunkColumn[] = [];
  readonly #rows = new Map<string, ChunkRow>();
  readonly #seen: SeenChunks;

  constructor(finder: ChunkFinder, context: StageContext) {
    this.#finder = finder;
    this.#context = context;
    this.#seen = new SeenChunks(finder.array.name, finder.array.grid);
  }

  /**
   * Whether the chunks of a batch should be copied where they are: on a device that supports this, or on
   * both backends for comparison.
   */
  static suits(finder: ChunkFinder, { backend }: StageContext, batch: Batch): boolean {
    const column = chunksOf(finder, batch);
    return backend.copiesBoxes && (column.isOnDevice || backend.kind === "check");
  }

  /** Takes ownership of a batch. Throws a RangeError for a chunk that comes twice. */
  async add(batch: Batch): Promise<void> {
    const { column } = chunksOf(this.#finder, batch);
    const source = this.#columns.push({ batch, column }) - 1;
    for (const [row, index] of (await this.#places(batch)).entries()) {
      this.#seen.add(index);
      this.#rows.set(index.join(), { source, row });
    }
  }

  /**
   * Yields all chunks of the array with the grid of `to`, in C order. Throws a RangeError unless all chunks
   * have come.
   */
  async *rechunked(to: Chunked<FixedArray>): AsyncGenerator<Batch, void, void> {
    this.#seen.checkAll("rechunk");
    const { backend, signal } = this.#context;
    const rows = new ChunkBatches(to);
    const chunkBytes = product(to.grid.chunk) * to.itemBytes;
    const most = Math.max(1, Math.floor(BATCH_BYTES / chunkBytes));
    let places: (readonly number[])[] = [];
    for (const place of allChunks(to.grid)) {
      if (places.length === most) {
        signal.throwIfAborted();
        yield await this.#batch(backend, rows, places, to);
        places = [];
      }
      places.push(place);
    }
    if (places.length > 0) yield await this.#batch(backend, rows, places, to);
  }

  [Symbol.dispose](): void {
    for (const { batch } of this.#columns) batch.release();
  }

  /** Returns the indices of the chunks of a batch; from a device, only `origin` is downloaded. */
  async #places(batch: Batch): Promise<(readonly number[])[]> {
    const { backend, offsets } = this.#context;
    const at = batch.schema.fields.findIndex(({ name }) => name === originName);
    const origins = batch.pick(new Schema([batch.schema.fields[at]!]), [at]);
    try {
      return [...this.#finder.places(await origins.toRecordBatch(backend, offsets))];
    } finally {
      origins.release();
    }
  }

  async #batch(
    backend: Backend,
    rows: ChunkBatches,
    places: readonly (readonly number[])[],
    to: Chunked<FixedArray>,
  ): Promise<Batch> {
    const made = await backend.copyBoxes(this.#request(places, to));
    const origins = rows.batch(places, undefined, [originName]);
    const columns = rows.schema.fields.map(({ name, type }) =>
      name === originName
        ? BatchColumn.fromArrow(type, origins.data.children[0]!)
        : BatchColumn.fromColumn(type, made)
    );
    return new Batch(rows.schema, places.length, columns);
  }

  /** Returns the request that copies the chunks at some indices to rows. */
  #request(
    places: readonly (readonly number[])[],
    { grid, fill }: Chunked<FixedArray>,
  ): BoxesRequest {
    const from = this.#finder.array.grid;
    const sources = this.#columns.map(({ column }) => ({ column, boxes: [] as BoxCopy[] }));
    for (const [row, index] of places.entries()) {
      const box = chunkBox(grid, index);
      for (const other of chunksOver(from, box)) {
        const found = this.#rows.get(other.join());
        const shared = intersect(box, chunkBox(from, other));
        if (found === undefined || shared === undefined) continue;
        sources[found.source]!.boxes.push({
          itemBytes: fill.length,
          shape: boxShape(shared),
          from: placeOf(shared, from, other, { row: found.row, itemBytes: fill.length }),
          to: placeOf(shared, grid, index, { row, itemBytes: fill.length }),
        });
      }
    }
    return {
      type: this.#columns[0]!.column.type,
      numRows: places.length,
      rowItems: product(grid.chunk),
      fill,
      sources: sources.filter(({ boxes }) => boxes.length > 0),
    };
  }
}

/** Returns the place of a box in a column whose rows are chunks, given the chunk that contains it. */
function placeOf(
  { start }: Box,
  { chunk }: Grid,
  index: readonly number[],
  { row, itemBytes }: { readonly row: number; readonly itemBytes: number },
) {
  const strides = denseStrides(chunk, itemBytes);
  const first = start.map((at, axis) => at - index[axis]! * chunk[axis]!);
  return {
    offset: first.reduce(
      (sum, at, axis) => sum + at * strides[axis]!,
      row * product(chunk) * itemBytes,
    ),
    strides,
  };
}

function chunksOf({ column }: ChunkFinder, { schema, columns }: Batch): BatchColumn {
  return columns[schema.fields.findIndex(({ name }) => name === column)]!;
}
