/**
 * Copies the files of an array that stays as it is.
 *
 * @module
 */

import { dirname } from "node:path";
import { FileError, toFileError } from "../../streams/errors.ts";
import { notAFile } from "../../streams/zarr/regular_file.ts";

/** A file below a folder. */
export interface FoundFile {
  /** From the folder, with "/" between names. */
  readonly path: string;
  readonly numBytes: number;
}

/** All files below a folder; links are followed. Throws a FileError for what is neither. */
export async function filesBelow(folder: string): Promise<FoundFile[]> {
  try {
    return await walk(folder, "");
  } catch (error) {
    throw toFileError(folder, error);
  }
}

async function walk(folder: string, path: string): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  for await (const { name } of Deno.readDir(path === "" ? folder : `${folder}/${path}`)) {
    const below = path === "" ? name : `${path}/${name}`;
    const info = await Deno.stat(`${folder}/${below}`);
    if (info.isDirectory) {
      found.push(...await walk(folder, below));
      continue;
    }
    const problem = notAFile(info);
    if (problem !== undefined) throw new FileError(`${folder}/${below}`, problem);
    found.push({ path: below, numBytes: info.size });
  }
  return found;
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
