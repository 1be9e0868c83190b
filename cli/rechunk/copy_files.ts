/**
 * Copies the files of arrays that keep their chunks.
 *
 * @module
 */

import { dirname } from "node:path";
import { toFileError } from "../../base/errors/wrap_error.ts";
import { fileAt } from "../../streams/formats/zarr/files/regular_file.ts";

/** A file below a folder. */
export interface FoundFile {
  /** Relative to the folder, with "/" between names. */
  readonly path: string;
  readonly numBytes: number;
}

/** Returns all files below a folder. Follows links, and throws a FileError for a circle of links. */
export async function filesBelow(folder: string): Promise<FoundFile[]> {
  return await walk(folder, "", []);
}

async function walk(
  root: string,
  path: string,
  around: readonly string[],
): Promise<FoundFile[]> {
  const folder = path === "" ? root : `${root}/${path}`;
  const found: FoundFile[] = [];
  try {
    const real = await Deno.realPath(folder);
    if (around.includes(real)) throw new Error("is a link to a folder that contains it");
    for await (const { name } of Deno.readDir(folder)) {
      const below = path === "" ? name : `${path}/${name}`;
      const numBytes = sizeAt(`${root}/${below}`);
      if (numBytes === undefined) found.push(...await walk(root, below, [...around, real]));
      else found.push({ path: below, numBytes });
    }
  } catch (error) {
    throw toFileError(folder, error);
  }
  return found;
}

/** Returns the size of a file; undefined for a folder. Throws a FileError for anything else. */
function sizeAt(path: string): number | undefined {
  try {
    if (isFolder(path)) return undefined;
    const file = fileAt(path);
    if (file === undefined) throw new Deno.errors.NotFound();
    return file.size;
  } catch (error) {
    throw toFileError(path, error);
  }
}

function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/**
 * Copies a file. Removes an existing target first: an interrupted run may have left it incomplete, and it may
 * be a link or read-only.
 */
export async function copyFile(from: string, to: string): Promise<void> {
  try {
    await Deno.mkdir(dirname(to), { recursive: true });
    await removeIfThere(to);
    await Deno.copyFile(from, to);
  } catch (error) {
    throw toFileError(error instanceof Deno.errors.NotFound ? from : to, error);
  }
}

async function removeIfThere(path: string): Promise<void> {
  try {
    await Deno.remove(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
