/**
 * Files of chunks: read in one go, and written so that they appear whole or not at all. Everything
 * here is synchronous: the page cache answers at once, and no signal comes between.
 *
 * @module
 */

import { toFileError } from "../../../../base/errors/wrap_error.ts";
import { createFresh, writeFully } from "../../../bytes/own_files/fresh_file.ts";
import { dirname } from "../../../../base/paths.ts";
import { fileAt } from "./regular_file.ts";

/** A file that is open, and its size. */
interface OpenChunk {
  readonly file: Deno.FsFile;
  readonly numBytes: number;
}

/** Opens a file and lets it be used; undefined if there is none. Throws for what is no file. */
export function withFile<T>(path: string, use: (chunk: OpenChunk) => T): T | undefined {
  if (fileAt(path) === undefined) return undefined;
  let file;
  try {
    file = Deno.openSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
  try {
    return use({ file, numBytes: file.statSync().size });
  } finally {
    file.close();
  }
}

/** Whether there is a file. Rejects with a FileError. */
export function hasFile(path: string): Promise<boolean> {
  try {
    return Promise.resolve(withFile(path, () => true) ?? false);
  } catch (cause) {
    return Promise.reject(toFileError(path, cause));
  }
}

/** Fills a buffer from where a file is. Throws where the file ends before. */
export function readFully(file: Deno.FsFile, into: Uint8Array): void {
  for (let read = 0; read < into.length;) {
    const count = file.readSync(into.subarray(read));
    if (count === null) throw new Error("ends while it is read");
    read += count;
  }
}

/** Writes a file under a temporary name beside it, which then becomes its own. Gives its bytes. */
export function writeWhole(path: string, bytes: Uint8Array): number {
  const file = createPartial(path);
  try {
    writeFully(file, bytes);
    commitPartial(path, file);
    return bytes.length;
  } catch (error) {
    discardPartial(path, file);
    throw error;
  }
}

/** Creates the temporary file, and the folders that it is in. A leftover of its name goes. */
export function createPartial(path: string): Deno.FsFile {
  try {
    return createFresh(partialOf(path));
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    Deno.mkdirSync(dirname(path), { recursive: true });
    return createFresh(partialOf(path));
  }
}

/** Closes a temporary file and gives it its name. */
export function commitPartial(path: string, file: Deno.FsFile): void {
  file.close();
  Deno.renameSync(partialOf(path), path);
}

/** Closes and removes a temporary file after a failure. */
export function discardPartial(path: string, file: Deno.FsFile): void {
  try {
    file.close();
  } catch {
    // It was closed already.
  }
  removeFile(partialOf(path));
}

/** The temporary name: the same each time, so that one who goes on after a break leaves none. */
function partialOf(path: string): string {
  return `${path}.partial`;
}

/** Removes a file, if there is one. */
export function removeFile(path: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
