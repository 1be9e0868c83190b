/**
 * Files that a process begins for itself: no link is followed, and no other's file is written to.
 *
 * @module
 */

/**
 * Creates a file for writing. A leftover of its name goes first. The mode is that of any new file
 * unless it is given.
 */
export function createFresh(path: string, mode?: number): Deno.FsFile {
  const options = { write: true, createNew: true, ...(mode === undefined ? {} : { mode }) };
  try {
    return Deno.openSync(path, options);
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    Deno.removeSync(path);
    return Deno.openSync(path, options);
  }
}

/** Writes all bytes to where a file is. */
export function writeFully(file: Deno.FsFile, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) {
    written += file.writeSync(bytes.subarray(written));
  }
}
