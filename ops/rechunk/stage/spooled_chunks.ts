/**
 * Chunks that come as rows, kept until they can be read in another order.
 *
 * @module
 */

import type { ChunkFinder } from "../../../streams/formats/zarr/rows/chunk_batch.ts";
import { numChunks, product } from "../../../streams/formats/zarr/grid/grid.ts";
import { SeenChunks } from "../../../streams/formats/zarr/grid/seen_chunks.ts";
import type { TempFolder } from "../../../streams/formats/arrow/temp_folder.ts";
import type { ZarrReader } from "../../../streams/formats/zarr/items/zarr_array.ts";
import type { Batch } from "../../batch/batch.ts";
import type { StageContext } from "../../engine/node.ts";
import { PieceStore } from "../store/piece_store.ts";

/** The part of the memory of a run that chunks may take for as long as it runs. */
const heldPart = 1 / 2;

/** Where chunks are kept. */
interface Kept {
  writeChunk(index: readonly number[], items: Uint8Array): void;
  readChunk(index: readonly number[], into: Uint8Array): boolean;
}

/** An array whose chunks come as rows: they are kept in memory if all of them fit, else in files. */
export class SpooledChunks {
  /** Reads what was kept. */
  readonly reader: ZarrReader;
  /** Bytes of memory that the chunks take; 0 where they are in files. */
  readonly heldBytes: number;
  /** Finds the chunks of batches. */
  readonly finder: ChunkFinder;
  #kept: Kept = new HeldChunks();

  constructor(finder: ChunkFinder, maxMem: number) {
    this.finder = finder;
    const { array } = finder;
    const readChunk = (index: readonly number[], into: Uint8Array) =>
      Promise.resolve(this.#kept.readChunk(index, into));
    this.reader = { ...array, scratchBytes: 0, bytesRead: 0, readChunk };
    const bytes = numChunks(array.grid) * product(array.grid.chunk) * array.itemBytes;
    this.heldBytes = bytes <= heldPart * maxMem ? bytes : 0;
  }

  /** Takes all rows. Throws a RangeError for a chunk that comes twice, or does not come. */
  async fill(
    input: AsyncIterable<Batch>,
    folder: TempFolder,
    { backend, offsets, onSpill }: StageContext,
  ): Promise<void> {
    const { array } = this.finder;
    if (this.heldBytes === 0) {
      const store = new PieceStore(folder.pathOf("chunks"), { grid: array.grid, array });
      store.create({ mayBeThere: false });
      this.#kept = store;
    }
    const seen = new SeenChunks(array.name, array.grid);
    for await (const batch of input) {
      const rows = await batch.toRecordBatch(backend, offsets);
      batch.release();
      for (const { index, items } of this.finder.chunks(rows)) {
        seen.add(index);
        this.#kept.writeChunk(index, items);
        if (this.heldBytes === 0) onSpill?.(items.length);
      }
    }
    seen.checkAll("rechunk");
  }
}

/** Chunks in memory. */
class HeldChunks implements Kept {
  readonly #chunks = new Map<string, Uint8Array>();

  writeChunk(index: readonly number[], items: Uint8Array): void {
    // What the batch lies in may be larger.
    this.#chunks.set(index.join(), items.slice());
  }

  readChunk(index: readonly number[], into: Uint8Array): boolean {
    const items = this.#chunks.get(index.join());
    if (items !== undefined) into.set(items);
    return items !== undefined;
  }
}
