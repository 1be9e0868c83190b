/**
 * An intermediate store of items of variable size: a file for each chunk in one folder.
 *
 * @module
 */

import { type Grid, product } from "../../../streams/formats/zarr/grid/grid.ts";
import type {
  VariableArray,
  VariableItems,
  VariableReader,
  VariableWriter,
} from "../../../streams/formats/zarr/items/array.ts";
import { ArrayInfo } from "../../../streams/formats/zarr/items/array_info.ts";
import { itemsBytes } from "../plan/item_sizes.ts";
import { ChunkFolder } from "./chunk_folder.ts";
import { isWhole, partsOf, VariableFileReader } from "./variable_file.ts";

/** The chunks of an array in a folder. A missing chunk has no file. */
export class VariableStore extends ArrayInfo<VariableArray>
  implements VariableReader, VariableWriter {
  readonly #folder: ChunkFolder;
  readonly #numItems: number;
  readonly #reader = new VariableFileReader();
  bytesRead = 0;
  bytesWritten = 0;

  /** Touches no file. */
  constructor(
    path: string,
    array: VariableArray,
    { grid, isDurable }: { readonly grid: Grid; readonly isDurable: boolean },
  ) {
    super({ ...array, name: path, grid, writeGrid: grid, dimensionNames: undefined });
    this.#folder = new ChunkFolder(path, { isDurable });
    this.#numItems = product(grid.chunk);
  }

  /** Creates the folder. Throws a FileError if it exists, unless `mayBeThere`. */
  create(options: { readonly mayBeThere: boolean }): void {
    this.#folder.create(options);
  }

  /** Throws a FileError if the store does not exist; a store without chunks does. */
  check(): void {
    this.#folder.check();
  }

  // deno-lint-ignore require-await
  async readChunk(index: readonly number[]): Promise<VariableItems | undefined> {
    const items = this.#folder.read(index, (file) => this.#reader.read(file, this.#numItems));
    if (items !== undefined) this.bytesRead += itemsBytes(items);
    return items;
  }

  async writeChunk(index: readonly number[], items: VariableItems): Promise<void> {
    await this.#folder.write(index, partsOf(items));
    this.bytesWritten += itemsBytes(items);
  }

  flush(): Promise<void> {
    return this.#folder.flush();
  }

  // deno-lint-ignore require-await
  async hasChunk(index: readonly number[]): Promise<boolean> {
    return this.#folder.read(index, (file) => isWhole(file, this.#numItems)) ?? false;
  }

  /** Flushes everything written to disk. */
  sync(): Promise<void> {
    return this.#folder.sync();
  }

  /** Removes the folder with its contents. Never fails, since the chunks are no longer needed. */
  remove(): void {
    this.#folder.remove();
  }
}
