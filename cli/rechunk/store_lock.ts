/**
 * Keeps two runs from building one result.
 *
 * @module
 */

import { FileError } from "../../streams/errors.ts";

const LOCK = ".sluice-rechunk.lock";

/**
 * A lock on a folder: a file in it that the system holds for this process. When the process ends, in
 * whatever way, the next one gets it.
 */
export class StoreLock implements Disposable {
  readonly #file: Deno.FsFile;

  private constructor(file: Deno.FsFile) {
    this.#file = file;
  }

  /** Takes the lock. Throws a FileError where another process has it. */
  static take(folder: string): StoreLock {
    const file = Deno.openSync(`${folder}/${LOCK}`, { create: true, write: true });
    if (isFree(file)) return new StoreLock(file);
    file.close();
    throw new FileError(folder, "is being written by another run: wait until it ends");
  }

  /** Removes its file from a folder, which may have another name by now. */
  remove(folder: string): void {
    try {
      Deno.removeSync(`${folder}/${LOCK}`);
    } catch {
      // It may have been removed already.
    }
  }

  /** Gives it back. */
  [Symbol.dispose](): void {
    this.#file.close();
  }
}

function isFree(file: Deno.FsFile): boolean {
  try {
    return file.tryLockSync(true);
  } catch {
    // A file system without locks, such as some of networks, does not keep anybody out.
    return true;
  }
}
