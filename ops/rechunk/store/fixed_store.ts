/**
 * An intermediate store of items of fixed size: an uncompressed Zarr 3 array with a file for each chunk
 * in one folder.
 *
 * @module
 */

import { inFile } from "../../../base/errors/wrap_error.ts";
import { type Grid, product } from "../../../streams/formats/zarr/grid/grid.ts";
import type { FixedArray } from "../../../streams/formats/zarr/items/array.ts";
import { ChunkFolder, readFully } from "./chunk_folder.ts";
import type { ChunkInput, ChunkOutput } from "./chunk_sides.ts";
import { fixedMetadata } from "./fixed_metadata.ts";

/** The chunks of an array in a folder. A missing chunk has no file. */
export class FixedStore implements ChunkInput, ChunkOutput {
  readonly #folder: ChunkFolder;
  readonly #chunkBytes: number;
  readonly #metadata: string;

  /** Touches no file. */
  constructor(
    path: string,
    { grid, array, isDurable = false }: {
      readonly grid: Grid;
      readonly array: FixedArray;
      /** Whether a chunk must be on disk before it becomes visible. */
      readonly isDurable?: boolean;
    },
  ) {
    this.#folder = new ChunkFolder(path, { isDurable });
    this.#chunkBytes = product(grid.chunk) * array.itemBytes;
    this.#metadata = fixedMetadata(grid, array);
  }

  /** Creates the folder. Throws a FileError if it exists, unless `mayBeThere`. */
  create(options: { readonly mayBeThere: boolean }): void {
    this.#folder.create(options);
    this.#atMetadata((path) => Deno.writeTextFileSync(path, this.#metadata));
  }

  /** Throws a FileError if the store does not exist; a store without chunks does. */
  check(): void {
    this.#atMetadata((path) => Deno.statSync(path));
  }

  readChunk(index: readonly number[], into: Uint8Array): boolean {
    const isThere = this.#folder.read(index, (file) => {
      readFully(file, into);
      return true;
    });
    return isThere ?? false;
  }

  writeChunk(index: readonly number[], items: Uint8Array): void | Promise<void> {
    return this.#folder.write(index, [items]);
  }

  flush(): Promise<void> {
    return this.#folder.flush();
  }

  hasChunk(index: readonly number[]): boolean {
    const size = this.#folder.read(index, (file) => file.statSync().size);
    return size === this.#chunkBytes;
  }

  /** Flushes everything written to disk. */
  sync(): Promise<void> {
    return this.#folder.sync();
  }

  /** Removes the folder with its contents. Never fails, since the chunks are no longer needed. */
  remove(): void {
    this.#folder.remove();
  }

  #atMetadata(work: (path: string) => void): void {
    const path = `${this.#folder.path}/zarr.json`;
    inFile(path, () => work(path));
  }
}
