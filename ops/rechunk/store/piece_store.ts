/**
 * A store in between: an array of Zarr 3 without compression, a file for each chunk in one folder.
 *
 * Files are read and written at once and without waiting: the bytes go between the page cache of the
 * system and the memory in which a box lies, and the process holds no others.
 *
 * @module
 */

import { removeQuietly } from "../../../base/partial_paths.ts";
import { type Grid, product } from "../../../streams/formats/zarr/grid/grid.ts";
import { syncTree } from "../../../streams/bytes/own_files/durable.ts";
import { FileError } from "../../../base/errors/file_error.ts";
import { toFileError } from "../../../base/errors/wrap_error.ts";
import { createFresh, writeFully } from "../../../streams/bytes/own_files/fresh_file.ts";
import type { ZarrArrayInfo } from "../../../streams/formats/zarr/items/zarr_array.ts";
import type { ChunkInput, ChunkOutput } from "./chunk_sides.ts";
import { pieceMetadata } from "./piece_metadata.ts";

/** The chunks of an array in a folder. Missing ones have no file. */
export class PieceStore implements ChunkInput, ChunkOutput {
  readonly #path: string;
  readonly #chunkBytes: number;
  readonly #metadata: string;

  /** Touches no file. */
  constructor(
    path: string,
    { grid, array }: { readonly grid: Grid; readonly array: ZarrArrayInfo },
  ) {
    this.#path = path;
    this.#chunkBytes = product(grid.chunk) * array.itemBytes;
    this.#metadata = pieceMetadata(grid, array);
  }

  /** Creates the folder. One that is there is an error, unless it may be. */
  create({ mayBeThere }: { readonly mayBeThere: boolean }): void {
    attempt(this.#path, () => {
      Deno.mkdirSync(this.#path, { recursive: mayBeThere });
      Deno.writeTextFileSync(this.#metadataPath, this.#metadata);
    });
  }

  /** Throws a FileError where the store is not there, which is not one without chunks. */
  check(): void {
    attempt(this.#metadataPath, () => Deno.statSync(this.#metadataPath));
  }

  readChunk(index: readonly number[], into: Uint8Array): boolean {
    const path = this.#pathOf(index);
    return attempt(path, () => {
      using file = openIfThere(path);
      if (file === undefined) return false;
      let size = 0;
      while (size < into.length) {
        const read = file.readSync(into.subarray(size));
        if (read === null) throw sizeError(path, size, into.length);
        size += read;
      }
      return true;
    });
  }

  writeChunk(index: readonly number[], items: Uint8Array): void {
    const path = this.#pathOf(index);
    // A name for each chunk: several threads write at a time.
    const partial = `${path}.partial`;
    attempt(path, () => {
      try {
        writeFile(partial, items);
        Deno.renameSync(partial, path);
      } catch (error) {
        removeQuietly(partial);
        throw error;
      }
    });
  }

  hasChunk(index: readonly number[]): boolean {
    const path = this.#pathOf(index);
    return attempt(path, () => {
      try {
        return Deno.statSync(path).size === this.#chunkBytes;
      } catch (error) {
        if (error instanceof Deno.errors.NotFound) return false;
        throw error;
      }
    });
  }

  /** Brings all that was written to the disk. */
  sync(): Promise<void> {
    return syncTree(this.#path);
  }

  /** Removes the folder with all that is in it. Never fails: the chunks have done their work. */
  remove(): void {
    removeQuietly(this.#path);
  }

  get #metadataPath(): string {
    return `${this.#path}/zarr.json`;
  }

  #pathOf(index: readonly number[]): string {
    return `${this.#path}/${["c", ...index].join(".")}`;
  }
}

function openIfThere(path: string): Deno.FsFile | undefined {
  try {
    return Deno.openSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function writeFile(path: string, bytes: Uint8Array): void {
  using file = createFresh(path);
  writeFully(file, bytes);
}

function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toFileError(path, error);
  }
}

function sizeError(path: string, size: number, chunkBytes: number): FileError {
  return new FileError(path, `has ${size} bytes, and a chunk of it has ${chunkBytes}`);
}
