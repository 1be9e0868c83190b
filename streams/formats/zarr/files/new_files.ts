/**
 * New files that appear whole or not at all: each is written under a temporary name, which is its own, and
 * then renamed.
 *
 * Where a run has to survive the end of the machine, the bytes of a file are on the disk before it has its
 * name: else a file system may keep the name and lose the bytes, and a run that goes on would take the file
 * for a whole one. Files wait for that together, since the system writes its journal once for many.
 *
 * @module
 */

import { toFileError } from "../../../../base/errors/wrap_error.ts";
import { dirname } from "../../../../base/paths.ts";
import { syncFiles } from "../../../bytes/own_files/durable.ts";
import { createFresh } from "../../../bytes/own_files/fresh_file.ts";

/** A file under its temporary name. */
export interface NewFile {
  readonly file: Deno.FsFile;
  readonly partial: string;
  readonly path: string;
}

/** Files that are on the disk and get their names together. */
const MOST_TOGETHER = 32;

/** Of this thread, which no other has: several may write the same chunk, where one of them gave up. */
const owner = crypto.randomUUID().slice(0, 8);
let numCreated = 0;
/** The names that `createPartial` gives, and no others: users may have files of any name. */
const isTemporary = /\.[0-9a-f]{8}-\d+\.partial$/;

/** Creates a file under a temporary name, and the folders that it is in. */
export function createPartial(path: string): NewFile {
  const partial = `${path}.${owner}-${numCreated++}.partial`;
  return { file: createIn(partial), partial, path };
}

/** Closes a file that is complete, and gives it its name. */
export function commitPartial({ file, partial, path }: NewFile): void {
  file.close();
  Deno.renameSync(partial, path);
}

/** Closes and removes a file after a failure. */
export function discardPartial({ file, partial }: NewFile): void {
  try {
    file.close();
  } catch {
    // It was closed already.
  }
  removeFile(partial);
}

/** Gives files their names, where a run has to survive the end of the machine, or immediately. */
export class NewFiles {
  readonly #isDurable: boolean;
  #waiting: Omit<NewFile, "file">[] = [];

  constructor({ isDurable }: { readonly isDurable: boolean }) {
    this.#isDurable = isDurable;
  }

  /** Closes a file that is complete. It has its name now, or after `flush` at the latest. */
  commit(made: NewFile): void | Promise<void> {
    if (!this.#isDurable) return commitPartial(made);
    const { file, partial, path } = made;
    file.close();
    this.#waiting.push({ partial, path });
    if (this.#waiting.length >= MOST_TOGETHER) return this.flush();
  }

  /** Gives all files their names that wait for it. */
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

/** Removes the temporary files below a folder that a run left when it ended in the middle. */
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
