/**
 * Copies the files of an array that stays as it is.
 *
 * @module
 */

import { dirname } from "node:path";
import { toFileError } from "../../base/errors/wrap_error.ts";
import { fileAt } from "../../streams/formats/zarr/files/regular_file.ts";

/** A file below a folder. */
export interface FoundFile {
  /** From the folder, with "/" between names. */
  readonly path: string;
  readonly numBytes: number;
}

/** All files below a folder; links are followed, but not around in a circle. Throws a FileError. */
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
    if (around.includes(real)) throw new Error("is a link to a folder that it is in");
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

/** The size of a file; undefined for a folder. Throws a FileError for what is neither. */
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
 * Copies a file. What lies in its place goes first: it may be of a run that was broken off, torn where
 * the machine ended, a link, or one that may be read only, as its source.
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
