/**
 * Files of chunks. They are read as a whole, and written so that they appear complete or not at all.
 * All functions are synchronous, since the page cache answers immediately.
 *
 * @module
 */

import { toFileError } from "../../../../base/errors/wrap_error.ts";
import { writeFully } from "../../../bytes/own_files/fresh_file.ts";
import { commitPartial, createPartial, discardPartial } from "./new_files.ts";
import { fileAt } from "./regular_file.ts";

/** An open file, and its size. */
interface OpenChunk {
  readonly file: Deno.FsFile;
  readonly numBytes: number;
}

/** Opens a file and calls `use` with it; undefined without a file. Throws for anything but a file. */
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

/** Whether a file exists. Rejects with a FileError. */
export function hasFile(path: string): Promise<boolean> {
  try {
    return Promise.resolve(withFile(path, () => true) ?? false);
  } catch (cause) {
    return Promise.reject(toFileError(path, cause));
  }
}

/** Fills a buffer from the position of a file. Throws where the file ends too early. */
export function readFully(file: Deno.FsFile, into: Uint8Array): void {
  for (let read = 0; read < into.length;) {
    const count = file.readSync(into.subarray(read));
    if (count === null) throw new Error("was truncated while it was read");
    read += count;
  }
}

/** Writes a file, which appears complete or not at all, and where it `isDurable` only once it is on disk. */
export function writeWhole(
  path: string,
  bytes: Uint8Array,
  { isDurable = false }: { readonly isDurable?: boolean } = {},
): void {
  const made = createPartial(path);
  try {
    writeFully(made.file, bytes);
    if (isDurable) made.file.syncSync();
    commitPartial(made);
  } catch (error) {
    discardPartial(made);
    throw error;
  }
}
