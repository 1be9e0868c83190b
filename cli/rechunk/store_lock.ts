/**
 * Prevents two runs from building the same result.
 *
 * @module
 */

import { FileError } from "../../base/errors/file_error.ts";

/** The name of its file. */
export const LOCK = ".sluice-rechunk.lock";

/**
 * A lock on a folder: a file in it that the system locks for this process. The system releases the lock
 * however the process ends.
 */
export class StoreLock implements Disposable {
  readonly #file: Deno.FsFile;

  private constructor(file: Deno.FsFile) {
    this.#file = file;
  }

  /** Takes the lock. Throws a FileError if another process has it. */
  static take(folder: string): StoreLock {
    const path = `${folder}/${LOCK}`;
    if (lstatIfThere(path)?.isFile === false) throw new FileError(path, "is not a file; remove it");
    const file = Deno.openSync(path, { create: true, write: true, mode: 0o600 });
    if (isFree(file) && isStillThere(path, file)) return new StoreLock(file);
    file.close();
    throw new FileError(folder, "is being written by another run: wait until it ends");
  }

  /** Releases the lock. */
  [Symbol.dispose](): void {
    this.#file.close();
  }
}

function isFree(file: Deno.FsFile): boolean {
  try {
    return file.tryLockSync(true);
  } catch {
    // A file system without locks, such as some network file systems, excludes nobody.
    return true;
  }
}

/** Whether the path still names the file: a run that ended meanwhile may have removed it. */
function isStillThere(path: string, file: Deno.FsFile): boolean {
  return lstatIfThere(path)?.ino === file.statSync().ino;
}

function lstatIfThere(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
