/**
 * Checks that the path of an array's file has a regular file. Opening a named pipe would wait for a
 * writer, and a device may never end, so paths are checked before they are opened.
 *
 * @module
 */

/**
 * Returns the file at a path; undefined without one. Throws for anything but a file, and for a link to a
 * missing file: in an array whose chunks were not fetched, each would count as a missing chunk.
 */
export function fileAt(path: string): Deno.FileInfo | undefined {
  let info;
  try {
    info = Deno.statSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    if (isLink(path)) throw new Error("is a link to a file that does not exist");
    return undefined;
  }
  const problem = notAFile(info);
  if (problem !== undefined) throw new Error(problem);
  return info;
}

/** Returns why something is not a file, as a clause; undefined for a file. */
function notAFile(info: Deno.FileInfo): string | undefined {
  return info.isFile ? undefined : `is ${kindOf(info)}, not a file`;
}

/** Names the kind of a file, such as "a folder" or "a named pipe". */
export function kindOf({ isFile, isDirectory, isFifo, isSocket }: Deno.FileInfo): string {
  if (isFile) return "a file";
  if (isDirectory) return "a folder";
  if (isFifo) return "a named pipe";
  return isSocket ? "a socket" : "a device";
}

function isLink(path: string): boolean {
  try {
    return Deno.lstatSync(path).isSymlink;
  } catch {
    return false;
  }
}
