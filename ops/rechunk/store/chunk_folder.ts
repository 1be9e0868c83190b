/**
 * A folder with a file for each chunk, which appears complete or not at all. Stores between passes and
 * spools of the stage share it.
 *
 * Files are read and written synchronously. The bytes move directly between the page cache of the
 * system and the memory of a box, and the process holds no other copy.
 *
 * @module
 */

import { removeQuietly } from "../../../base/partial_paths.ts";
import { inFile } from "../../../base/errors/wrap_error.ts";
import {
  createPartial,
  discardPartial,
  NewFiles,
} from "../../../streams/formats/zarr/files/new_files.ts";
import { writeFully } from "../../../streams/bytes/own_files/fresh_file.ts";

/** The files of chunks in a folder. A missing chunk has none. */
export class ChunkFolder {
  readonly path: string;
  readonly #files: NewFiles;

  /** Touches no file. Where it `isDurable`, a chunk is on disk before it becomes visible. */
  constructor(path: string, { isDurable = false }: { readonly isDurable?: boolean } = {}) {
    this.path = path;
    this.#files = new NewFiles({ isDurable });
  }

  /** Creates the folder. Throws a FileError if it exists, unless `mayBeThere`. */
  create({ mayBeThere }: { readonly mayBeThere: boolean }): void {
    inFile(this.path, () => Deno.mkdirSync(this.path, { recursive: mayBeThere }));
  }

  /** Throws a FileError if the folder does not exist. */
  check(): void {
    inFile(this.path, () => Deno.statSync(this.path));
  }

  /** Returns the path of the file of a chunk, such as "c.0.1". */
  fileOf(index: readonly number[]): string {
    return `${this.path}/${["c", ...index].join(".")}`;
  }

  /**
   * Writes a chunk from several parts, in place of an existing one. It becomes visible immediately, or in a
   * durable folder with `flush` at the latest. Throws a FileError.
   */
  write(index: readonly number[], parts: readonly Uint8Array[]): void | Promise<void> {
    const path = this.fileOf(index);
    return inFile(path, () => {
      const made = createPartial(path);
      try {
        for (const bytes of parts) writeFully(made.file, bytes);
        return this.#files.commit(made);
      } catch (error) {
        discardPartial(made);
        throw error;
      }
    });
  }

  /** Makes all chunks visible that wait until they are on disk. */
  flush(): Promise<void> {
    return this.#files.flush();
  }

  /** Calls `use` with the file of a chunk; undefined if the chunk is missing. Throws a FileError. */
  read<T>(index: readonly number[], use: (file: Deno.FsFile) => T): T | undefined {
    const path = this.fileOf(index);
    return inFile(path, () => {
      using file = openIfThere(path);
      return file === undefined ? undefined : use(file);
    });
  }

  /** Flushes everything written to disk. */
  sync(): Promise<void> {
    return this.#files.sync(this.path);
  }

  /** Removes the folder with its contents. Never fails, since the chunks are no longer needed. */
  remove(): void {
    removeQuietly(this.path);
  }
}

/** Fills memory from a file. Throws an error if the file is shorter. */
export function readFully(file: Deno.FsFile, into: Uint8Array): void {
  for (let at = 0; at < into.length;) {
    const read = file.readSync(into.subarray(at));
    if (read === null) throw new Error(`has ${at} bytes, but a chunk of it has ${into.length}`);
    at += read;
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
