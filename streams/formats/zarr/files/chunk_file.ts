/**
 * Files of chunks: read in one go, and written so that they appear whole or not at all. Everything
 * here is synchronous: the page cache answers at once, and no signal comes between.
 *
 * @module
 */

import { toFileError } from "../../../../base/errors/wrap_error.ts";
import { writeFully } from "../../../bytes/own_files/fresh_file.ts";
import { commitPartial, createPartial, discardPartial } from "./new_files.ts";
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

/** Writes a file, which appears whole or not at all. Returns its bytes. */
export function writeWhole(path: string, bytes: Uint8Array): number {
  const made = createPartial(path);
  try {
    writeFully(made.file, bytes);
    commitPartial(made);
    return bytes.length;
  } catch (error) {
    discardPartial(made);
    throw error;
  }
}
