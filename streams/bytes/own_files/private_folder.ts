/**
 * Folders that only their owner may enter, so that nobody else reads what is in them, or puts links
 * where files will be.
 *
 * @module
 */

import { FileError } from "../../../base/errors/file_error.ts";
import { isWindows } from "../../../base/paths.ts";

/** Creates a folder. Whatever has its name already, a link as well, is an error. */
export function createPrivateFolder(path: string): void {
  Deno.mkdirSync(path, { mode: 0o700 });
}

/**
 * Throws a FileError unless there is a folder under a path, no link to one, and it belongs to the user
 * who runs this.
 */
export function checkPrivateFolder(path: string): void {
  const { isSymlink, isDirectory, uid } = Deno.lstatSync(path);
  if (isSymlink) throw new FileError(path, "is a link, and links are not followed here; remove it");
  if (!isDirectory) throw new FileError(path, "is not a folder; remove it");
  if (!isWindows && uid !== ownerOfNewFiles(path)) {
    throw new FileError(path, "belongs to another user, and is not used; remove it");
  }
}

/** Whom the system gives a new file in a folder: asked there, since some file systems have their own rule. */
function ownerOfNewFiles(folder: string): number | null {
  const path = `${folder}/.sluice-${crypto.randomUUID()}`;
  using file = Deno.openSync(path, { write: true, createNew: true, mode: 0o600 });
  try {
    return file.statSync().uid;
  } finally {
    Deno.removeSync(path);
  }
}
