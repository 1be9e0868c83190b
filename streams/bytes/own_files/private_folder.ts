/**
 * Folders that only their owner may enter, so that nobody else reads their files, or puts links in place of
 * files to come.
 *
 * @module
 */

import { FileError } from "../../../base/errors/file_error.ts";
import { isWindows } from "../../../base/paths.ts";

/** Creates a folder. Anything that has its name already, even a link, is an error. */
export function createPrivateFolder(path: string): void {
  Deno.mkdirSync(path, { mode: 0o700 });
}

/**
 * Throws a FileError unless a path names a folder, not a link to one, that belongs to the current user.
 */
export function checkPrivateFolder(path: string): void {
  const { isSymlink, isDirectory, uid } = Deno.lstatSync(path);
  if (isSymlink) throw new FileError(path, "is a link, and links are not followed here; remove it");
  if (!isDirectory) throw new FileError(path, "is not a folder; remove it");
  if (!isWindows && uid !== ownerOfNewFiles(path)) {
    throw new FileError(path, "belongs to another user, and is not used; remove it");
  }
}

/**
 * Returns the owner of new files in a folder: found out there, since some file systems have rules of their
 * own.
 */
function ownerOfNewFiles(folder: string): number | null {
  const path = `${folder}/.sluice-${crypto.randomUUID()}`;
  using file = Deno.openSync(path, { write: true, createNew: true, mode: 0o600 });
  try {
    return file.statSync().uid;
  } finally {
    Deno.removeSync(path);
  }
}
