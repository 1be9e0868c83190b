/**
 * Chunks of text that come as rows, kept until they can be read in another order.
 *
 * @module
 */

import { product } from "../../../streams/formats/zarr/grid/grid.ts";
import { SeenChunks } from "../../../streams/formats/zarr/grid/seen_chunks.ts";
import type { TextFinder } from "../../../streams/formats/zarr/rows/text_batch.ts";
import type { TempFolder } from "../../../streams/formats/arrow/temp_folder.ts";
import type { TextItems, TextReader } from "../../../streams/formats/zarr/items/text_array.ts";
import type { Batch } from "../../batch/batch.ts";
import type { StageContext } from "../../engine/node.ts";
import { TextFileReader, writeItems } from "../store/text_file.ts";
import { itemsBytes, TextSizes } from "../plan/text_sizes.ts";

/** The part of the memory of a run that chunks may take for as long as it runs. */
const HELD_PART = 1 / 2;

/** An array whose chunks come as rows: they are kept in memory as long as they fit, else in files. */
export class SpooledText {
  /** Reads what was kept. */
  readonly reader: TextReader;
  /** What the chunks have. */
  readonly sizes = new TextSizes();
  readonly #finder: TextFinder;
  readonly #mostBytes: number;
  readonly #held = new Map<string, TextItems>();
  #heldBytes = 0;
  readonly #fileReader = new TextFileReader();
  /** The files of chunks by their places, where they are in files. */
  #files: Map<string, string> | undefined;

  constructor(finder: TextFinder, maxMem: number) {
    this.#finder = finder;
    this.#mostBytes = HELD_PART * maxMem;
    const readChunk = (index: readonly number[]) => Promise.resolve(this.#read(index.join()));
    this.reader = { ...finder.array, bytesRead: 0, readChunk };
  }

  /** Bytes of memory that the chunks take. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Takes all rows. Throws a RangeError for a chunk that comes twice, or does not come. */
  async fill(
    input: AsyncIterable<Batch>,
    folder: TempFolder,
    { backend, offsets, onSpill }: StageContext,
  ): Promise<void> {
    const { array } = this.#finder;
    const numItems = product(array.grid.chunk);
    const seen = new SeenChunks(array.name, array.grid);
    for await (const batch of input) {
      const rows = await batch.toRecordBatch(backend, offsets);
      batch.release();
      for (const { index, items } of this.#finder.chunks(rows)) {
        seen.add(index);
        this.sizes.add(items, numItems, array.fill.length);
        this.#held.set(index.join(), ownItems(items));
        this.#heldBytes += itemsBytes(items);
        if (this.#files !== undefined || this.#heldBytes > this.#mostBytes) {
          this.#spill(folder, onSpill);
        }
      }
    }
    seen.checkAll("rechunk");
  }

  /** Brings what is in memory to files. */
  #spill(folder: TempFolder, onSpill: StageContext["onSpill"]): void {
    this.#files ??= new Map();
    for (const [place, items] of this.#held) {
      const path = folder.pathOf(`text-${this.#files.size}`);
      writeItems(path, items);
      this.#files.set(place, path);
      onSpill?.(itemsBytes(items));
    }
    this.#held.clear();
    this.#heldBytes = 0;
  }

  #read(place: string): TextItems | undefined {
    const path = this.#files?.get(place);
    if (path === undefined) return this.#held.get(place);
    return this.#fileReader.read(path, product(this.#finder.array.grid.chunk));
  }
}

/** A copy whose first item begins at 0: what the batch lies in may be larger. */
function ownItems({ offsets, data }: TextItems): TextItems {
  const first = offsets[0]!;
  return {
    offsets: offsets.map((offset) => offset - first),
    data: data.slice(first, offsets.at(-1)!),
  };
}
