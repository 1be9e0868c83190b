/**
 * A folder with a file for each chunk, which appears whole or not at all: what stores between passes and
 * spools of the stage have in common.
 *
 * Files are read and written synchronously: the bytes go between the page cache of the system and the memory
 * in which a box lies, and the process holds no others.
 *
 * @module
 */

import { removeQuietly } from "../../../base/partial_paths.ts";
import { toFileError } from "../../../base/errors/wrap_error.ts";
import {
  createPartial,
  discardPartial,
  NewFiles,
  removeLeftovers,
} from "../../../streams/formats/zarr/files/new_files.ts";
import { syncTree } from "../../../streams/bytes/own_files/durable.ts";
import { writeFully } from "../../../streams/bytes/own_files/fresh_file.ts";

/** The files of chunks in a folder. Missing chunks have none. */
export class ChunkFolder {
  readonly path: string;
  readonly #files: NewFiles;

  /** Touches no file. Where it `isDurable`, a chunk is on the disk before it appears. */
  constructor(path: string, { isDurable = false }: { readonly isDurable?: boolean } = {}) {
    this.path = path;
    this.#files = new NewFiles({ isDurable });
  }

  /** Creates the folder. One that is there is an error, unless it may be. Throws a FileError. */
  create({ mayBeThere }: { readonly mayBeThere: boolean }): void {
    attempt(this.path, () => Deno.mkdirSync(this.path, { recursive: mayBeThere }));
  }

  /** Throws a FileError where the folder is not there. */
  check(): void {
    attempt(this.path, () => Deno.statSync(this.path));
  }

  /** The file of the chunk at a place: "c.0.1". */
  fileOf(index: readonly number[]): string {
    return `${this.path}/${["c", ...index].join(".")}`;
  }

  /**
   * Writes a chunk of some parts, in the place of one that is there. It appears now, or after `flush` at the
   * latest where the folder is durable. Throws a FileError.
   */
  write(index: readonly number[], parts: readonly Uint8Array[]): void | Promise<void> {
    const path = this.fileOf(index);
    return attempt(path, () => {
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

  /** Lets all chunks appear that wait until they are on the disk. */
  flush(): Promise<void> {
    return this.#files.flush();
  }

  /** Removes what runs left that ended while they wrote a chunk. Throws a FileError. */
  removeLeftovers(): void {
    attempt(this.path, () => removeLeftovers(this.path));
  }

  /** Lets the file of a chunk be used; undefined where the chunk is missing. Throws a FileError. */
  read<T>(index: readonly number[], use: (file: Deno.FsFile) => T): T | undefined {
    const path = this.fileOf(index);
    return attempt(path, () => {
      using file = openIfThere(path);
      return file === undefined ? undefined : use(file);
    });
  }

  /** Brings all that was written to the disk. */
  sync(): Promise<void> {
    return syncTree(this.path);
  }

  /** Removes the folder with all that is in it. Never fails: the chunks have done their work. */
  remove(): void {
    removeQuietly(this.path);
  }
}

/** Fills memory with the bytes of a file, which has as many. */
export function readFully(file: Deno.FsFile, into: Uint8Array): void {
  for (let at = 0; at < into.length;) {
    const read = file.readSync(into.subarray(at));
    if (read === null) throw new Error(`has ${at} bytes, and a chunk of it has ${into.length}`);
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

function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toFileError(path, error);
  }
}
