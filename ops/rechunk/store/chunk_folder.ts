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
import { syncTree } from "../../../streams/bytes/own_files/durable.ts";
import { createFresh, writeFully } from "../../../streams/bytes/own_files/fresh_file.ts";

/** The files of chunks in a folder. Missing chunks have none. */
export class ChunkFolder {
  readonly path: string;

  /** Touches no file. */
  constructor(path: string) {
    this.path = path;
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

  /** Writes a chunk of some parts, in the place of one that is there. Throws a FileError. */
  write(index: readonly number[], parts: readonly Uint8Array[]): void {
    const path = this.fileOf(index);
    // A name for each chunk: several threads write at a time.
    const partial = `${path}.partial`;
    attempt(path, () => {
      try {
        {
          using file = createFresh(partial);
          for (const bytes of parts) writeFully(file, bytes);
        }
        Deno.renameSync(partial, path);
      } catch (error) {
        removeQuietly(partial);
        throw error;
      }
    });
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
