/**
 * Buffers chunks that come as rows until they can be read in another order: in memory while they fit,
 * else in files.
 *
 * @module
 */

import { numChunks, product } from "../../../streams/formats/zarr/grid/grid.ts";
import { SeenChunks } from "../../../streams/formats/zarr/grid/seen_chunks.ts";
import type {
  AnyArray,
  FixedArray,
  FixedReader,
  ItemsOf,
  VariableArray,
  VariableItems,
  VariableReader,
} from "../../../streams/formats/zarr/items/array.ts";
import { copyItems } from "../../../streams/formats/zarr/items/variable_items.ts";
import type { ChunkFinder } from "../../../streams/formats/zarr/rows/chunk_batch.ts";
import type { TempFolder } from "../../../streams/formats/arrow/temp_folder.ts";
import type { Batch } from "../../batch/batch.ts";
import type { StageContext } from "../../engine/node.ts";
import { itemsBytes, ItemSizes } from "../plan/item_sizes.ts";
import { ChunkFolder, readFully } from "../store/chunk_folder.ts";
import { partsOf, VariableFileReader } from "../store/variable_file.ts";

/** The share of the memory of a run that chunks may take while it runs. */
const BUFFERED_PART = 1 / 2;

/** The chunks of an array of either kind of items. */
abstract class Spool<A extends AnyArray> {
  readonly finder: ChunkFinder<A>;
  /** The greatest number of bytes that the chunks take in memory. */
  readonly #mostBytes: number;
  #buffered = new Map<string, { index: readonly number[]; items: ItemsOf<A> }>();
  #bufferedBytes = 0;
  /** The folder of all chunks, once they no longer fit into memory. */
  #folder: ChunkFolder | undefined;

  constructor(finder: ChunkFinder<A>, mostBytes: number) {
    this.finder = finder;
    this.#mostBytes = mostBytes;
  }

  /** The number of bytes that the chunks take in memory now. */
  get bytesInMemory(): number {
    return this.#bufferedBytes;
  }

  /** Takes all rows. Throws a RangeError for a chunk that comes twice or is missing. */
  async fill(
    input: AsyncIterable<Batch>,
    folder: TempFolder,
    { backend, offsets, onSpill }: StageContext,
  ): Promise<void> {
    const { array } = this.finder;
    const seen = new SeenChunks(array.name, array.grid);
    for await (const batch of input) {
      const rows = await batch.toRecordBatch(backend, offsets);
      batch.release();
      for (const { index, items } of this.finder.chunks(rows)) {
        seen.add(index);
        this.note(items);
        this.#bufferedBytes += this.numBytes(items);
        const fits = this.#folder === undefined && this.#bufferedBytes <= this.#mostBytes;
        // The memory of the batch may be larger than the chunk.
        this.#buffered.set(index.join(), { index, items: fits ? this.copy(items) : items });
        if (!fits) await this.#spill(folder, onSpill);
      }
    }
    seen.checkAll("rechunk");
  }

  /** Moves the chunks in memory to files. */
  async #spill(folder: TempFolder, onSpill: StageContext["onSpill"]): Promise<void> {
    if (this.#folder === undefined) {
      this.#folder = new ChunkFolder(folder.pathOf("chunks"));
      this.#folder.create({ mayBeThere: false });
    }
    for (const { index, items } of this.#buffered.values()) {
      await this.#folder.write(index, this.parts(items));
      onSpill?.(this.numBytes(items));
    }
    this.#buffered.clear();
    this.#bufferedBytes = 0;
  }

  /** Uses a chunk, in memory or in its file. */
  protected find<T>(
    index: readonly number[],
    inMemory: (items: ItemsOf<A>) => T,
    inFile: (file: Deno.FsFile) => T,
  ): T | undefined {
    if (this.#folder !== undefined) return this.#folder.read(index, inFile);
    const chunk = this.#buffered.get(index.join());
    return chunk === undefined ? undefined : inMemory(chunk.items);
  }

  /** Observes a chunk that came. */
  protected note(_items: ItemsOf<A>): void {}
  protected abstract numBytes(items: ItemsOf<A>): number;
  protected abstract copy(items: ItemsOf<A>): ItemsOf<A>;
  protected abstract parts(items: ItemsOf<A>): readonly Uint8Array[];
}

/** Spools chunks of fixed items: all in memory, or all in files. */
export class FixedSpool extends Spool<FixedArray> {
  /** Reads the spooled chunks. */
  readonly reader: FixedReader;
  /** The number of bytes of memory that all chunks will take; 0 if they go to files. */
  readonly bufferedBytes: number;

  constructor(finder: ChunkFinder<FixedArray>, maxMem: number) {
    const { array } = finder;
    const bytes = numChunks(array.grid) * product(array.grid.chunk) * array.itemBytes;
    const bufferedBytes = bytes <= BUFFERED_PART * maxMem ? bytes : 0;
    super(finder, bufferedBytes);
    this.bufferedBytes = bufferedBytes;
    const readChunk = (index: readonly number[], into: Uint8Array) =>
      Promise.resolve(this.#read(index, into));
    this.reader = { ...array, scratchBytes: 0, bytesRead: 0, readChunk };
  }

  #read(index: readonly number[], into: Uint8Array): boolean {
    const isThere = this.find(index, (items) => {
      into.set(items);
      return true;
    }, (file) => {
      readFully(file, into);
      return true;
    });
    return isThere ?? false;
  }

  protected override numBytes({ length }: Uint8Array): number {
    return length;
  }

  protected override copy(items: Uint8Array): Uint8Array {
    return items.slice();
  }

  protected override parts(items: Uint8Array): readonly Uint8Array[] {
    return [items];
  }
}

/** Spools chunks of variable items. */
export class VariableSpool extends Spool<VariableArray> {
  /** Reads the spooled chunks. */
  readonly reader: VariableReader;
  /** The sizes of the items that have come. */
  readonly sizes = new ItemSizes();
  readonly #numItems: number;
  readonly #files = new VariableFileReader();

  constructor(finder: ChunkFinder<VariableArray>, maxMem: number) {
    super(finder, BUFFERED_PART * maxMem);
    this.#numItems = product(finder.array.grid.chunk);
    const readChunk = (index: readonly number[]) => Promise.resolve(this.#read(index));
    this.reader = { ...finder.array, bytesRead: 0, readChunk };
  }

  #read(index: readonly number[]): VariableItems | undefined {
    return this.find<VariableItems>(
      index,
      (items) => items,
      (file) => this.#files.read(file, this.#numItems),
    );
  }

  protected override note(items: VariableItems): void {
    this.sizes.add(items, this.#numItems, this.finder.array.fill.length);
  }

  protected override numBytes(items: VariableItems): number {
    return itemsBytes(items);
  }

  protected override copy(items: VariableItems): VariableItems {
    return copyItems(items);
  }

  protected override parts(items: VariableItems): readonly Uint8Array[] {
    return partsOf(items);
  }
}
