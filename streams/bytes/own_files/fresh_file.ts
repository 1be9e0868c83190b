/**
 * New files of a process: it follows no link, and writes to no file of others.
 *
 * @module
 */

/**
 * Creates a file for writing, after it has removed a leftover of its name. Default mode: that of any new
 * file.
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

/** Writes all bytes at the position of a file. */
export function writeFully(file: Deno.FsFile, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) {
    written += file.writeSync(bytes.subarray(written));
  }
}
