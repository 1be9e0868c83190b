/**
 * What lies where a file of an array is to be. To open a named pipe would wait for who writes to it, and
 * a device may never end: it is looked at before it is opened.
 *
 * @module
 */

/**
 * The file at a path; undefined if there is none. Throws for what is no file, and for a link to one that
 * is gone: of an array whose chunks were not fetched, each would be taken for a missing one.
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

/** Why something is no file, as a clause; undefined for a file. */
export function notAFile(info: Deno.FileInfo): string | undefined {
  return info.isFile ? undefined : `is ${kindOf(info)}, not a file`;
}

/** Names the kind of a file: "a folder", "a named pipe". */
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
