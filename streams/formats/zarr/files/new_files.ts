/**
 * New files that appear complete or not at all. Each is written under a temporary name of its own, and
 * then renamed.
 *
 * Where a run must survive a crash of the machine, the bytes of a file are on disk before it is renamed.
 * Otherwise a file system may keep the name and lose the bytes, and a resumed run would take the file
 * for a complete one. Files are flushed in groups, since the system then writes its journal only once.
 *
 * @module
 */

import { toFileError } from "../../../../base/errors/wrap_error.ts";
import { dirname } from "../../../../base/paths.ts";
import { syncFiles, syncTree } from "../../../bytes/own_files/durable.ts";
import { createFresh } from "../../../bytes/own_files/fresh_file.ts";

/** A file under its temporary name. */
interface NewFile {
  readonly file: Deno.FsFile;
  readonly partial: string;
  readonly path: string;
}

/** The number of files that are flushed and renamed together. */
const MOST_TOGETHER = 32;

/** The name of this thread, since several may write the same chunk after one has failed. */
const owner = crypto.randomUUID().slice(0, 8);
let numCreated = 0;
/** Matches only the names that `createPartial` makes, since users may have files of any name. */
const isTemporary = /\.[0-9a-f]{8}-\d+\.partial$/;

/** Creates a file under a temporary name, and its folders. */
export function createPartial(path: string): NewFile {
  const partial = `${path}.${owner}-${numCreated++}.partial`;
  return { file: createIn(partial), partial, path };
}

/** Closes a complete file, and renames it. */
export function commitPartial({ file, partial, path }: NewFile): void {
  file.close();
  Deno.renameSync(partial, path);
}

/** Closes and removes a file after a failure. */
export function discardPartial({ file, partial }: NewFile): void {
  try {
    file.close();
  } catch {
    // The file is closed already.
  }
  removeFile(partial);
}

/** Renames complete files: immediately, or where a run is durable after they are on disk. */
export class NewFiles {
  readonly #isDurable: boolean;
  #waiting: Omit<NewFile, "file">[] = [];

  constructor({ isDurable }: { readonly isDurable: boolean }) {
    this.#isDurable = isDurable;
  }

  /** Closes a complete file. It gets its name immediately, or with `flush` at the latest. */
  commit(made: NewFile): void | Promise<void> {
    if (!this.#isDurable) return commitPartial(made);
    const { file, partial, path } = made;
    file.close();
    this.#waiting.push({ partial, path });
    if (this.#waiting.length >= MOST_TOGETHER) return this.flush();
  }

  /** Flushes and renames all waiting files. */
  async flush(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    await syncFiles(waiting.map(({ partial }) => partial));
    for (const { partial, path } of waiting) {
      try {
        Deno.renameSync(partial, path);
      } catch (error) {
        throw toFileError(path, error);
      }
    }
  }

  /** Syncs a folder that has only these files to the disk, after `flush`. Throws a FileError. */
  sync(folder: string): Promise<void> {
    return syncTree(folder, { namesOnly: this.#isDurable });
  }
}

function createIn(path: string): Deno.FsFile {
  try {
    return createFresh(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    Deno.mkdirSync(dirname(path), { recursive: true });
    return createFresh(path);
  }
}

/** Removes a file, if there is one. */
export function removeFile(path: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** Removes the temporary files that interrupted runs left below a folder. */
export function removeLeftovers(folder: string): void {
  const folders = [folder];
  for (const path of folders) {
    for (const { name, isDirectory, isFile } of entriesOf(path)) {
      if (isDirectory) folders.push(`${path}/${name}`);
      else if (isFile && isTemporary.test(name)) removeFile(`${path}/${name}`);
    }
  }
}

function entriesOf(folder: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(folder)];
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
