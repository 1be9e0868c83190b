/**
 * Where an output goes: what its path leads to, and what is there already.
 *
 * @module
 */

import { basename, dirname, isAbsolute, join } from "node:path";
import { FileError, toFileError } from "./errors.ts";
import { checkDescriptor, isDescriptor } from "./standard_streams.ts";

/** What becomes of what is at a path. */
type OutputTarget =
  /** A file that is not there yet, or that is replaced; `old` is what it was. */
  | { readonly path: string; readonly old?: Deno.FileInfo }
  /** A pipe, a device, or what the process was given: written to as it is. */
  | { readonly file: Deno.FsFile };

/**
 * Finds out what a path leads to, and opens what is not replaced. Links are followed, also to what is
 * not there yet, and stay as they are. Who may not write a file may not replace it. Opening a named
 * pipe waits until somebody reads it.
 */
export async function openTarget(path: string): Promise<OutputTarget> {
  try {
    const target = await followLinks(path);
    // The file behind a descriptor is opened anew, and what is in it is not ours.
    if (isDescriptor(target)) {
      checkDescriptor(target, "writing");
      return { file: await Deno.open(target, { append: true }) };
    }
    const file = await openExisting(target);
    if (file === undefined) return { path: target };
    const old = await file.stat();
    if (!old.isFile) return { file };
    file.close();
    return { path: target, old };
  } catch (error) {
    throw toFileError(path, error);
  }
}

/** Throws where the path cannot become a file, as far as that can be told without writing. */
export async function checkTarget(path: string): Promise<void> {
  try {
    const target = await followLinks(path);
    if (isDescriptor(target)) return checkDescriptor(target, "writing");
    const info = await orMissing(Deno.stat(target));
    if (info?.isFile) return (await openExisting(target))?.close();
    if (info?.isDirectory || /[\\/]$/.test(target)) {
      throw new FileError(path, "is a folder, not a file");
    }
    const folder = dirname(target);
    if (info === undefined && !(await orMissing(Deno.stat(folder)))?.isDirectory) {
      throw new FileError(path, `cannot be written, the folder ${folder} does not exist`);
    }
  } catch (error) {
    throw toFileError(path, error);
  }
}

/** Most links of a path, as of Linux. */
const mostLinks = 40;

async function followLinks(path: string): Promise<string> {
  let target = path;
  for (let links = 0; links <= mostLinks; links++) {
    if (isDescriptor(target)) return target;
    const info = await orMissing(Deno.lstat(target));
    if (!info?.isSymlink) return target;
    const link = await Deno.readLink(target);
    target = isAbsolute(link) ? link : `${dirname(target)}/${link}`;
  }
  throw new FileError(path, "is a link that leads to itself");
}

/** Opens what is there, and leaves it as it is; undefined where there is nothing. */
async function openExisting(path: string): Promise<Deno.FsFile | undefined> {
  try {
    return await orMissing(Deno.open(path, { write: true }));
  } catch (error) {
    if (!(error instanceof Deno.errors.PermissionDenied)) throw error;
    throw new Error("may not be written, so it is not replaced", { cause: error });
  }
}

async function orMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    if (error instanceof Deno.errors.NotADirectory) return undefined;
    throw error;
  }
}

/** Bytes of a name that leave room for what a partial file adds; most systems allow 255. */
const mostNameBytes = 200;

/** A name beside a path that nobody can foretell. */
export function partialPath(path: string): string {
  let name = basename(path);
  while (new TextEncoder().encode(name).length > mostNameBytes) name = name.slice(0, -1);
  return join(dirname(path), `.${name.toWellFormed()}.${crypto.randomUUID().slice(0, 8)}.partial`);
}
