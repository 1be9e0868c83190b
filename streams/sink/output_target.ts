/**
 * Resolves the path of an output.
 *
 * @module
 */

import { FileError } from "../../base/errors/file_error.ts";
import { toFileError } from "../../base/errors/wrap_error.ts";
import { basename, dirname, isAbsolute } from "../../base/paths.ts";
import { checkDescriptor, isDescriptor } from "../bytes/standard_streams.ts";
import { hasScheme } from "../../base/url.ts";

/** The target of an output. */
type OutputTarget =
  /** A new file, or one that replaces `old`. */
  | { readonly path: string; readonly old?: Deno.FileInfo }
  /** A pipe, a device, or an inherited descriptor: written to directly. */
  | { readonly file: Deno.FsFile };

/**
 * Resolves a path, and opens it unless it is to be replaced. Links are followed, even to files that do
 * not exist yet, and stay. A file that the user may not write may not be replaced either. Opening a
 * named pipe waits for a reader.
 */
export async function openTarget(path: string): Promise<OutputTarget> {
  try {
    const target = await followLinks(path);
    // The file behind a descriptor is opened again; its content must be kept.
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

/** Throws a FileError for a URL, which cannot be written. URLs of local files are paths by now. */
export function checkIsFile(path: string): void {
  if (hasScheme(path)) throw new FileError(path, "is a URL, but only files here can be written");
}

/** Throws if the path cannot become a file, as far as can be known without writing. */
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
      throw new FileError(path, `cannot be written: the folder ${folder} does not exist`);
    }
  } catch (error) {
    throw toFileError(path, error);
  }
}

/** The most links in a path, as on Linux. */
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

/** Opens an existing file without truncating it; undefined if there is none. */
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

/** The most bytes of a name: they leave space for the suffix of a partial file, as most systems allow 255. */
const mostNameBytes = 200;

/** Returns an unpredictable name beside a path. */
export function partialPath(path: string): string {
  let name = basename(path);
  while (new TextEncoder().encode(name).length > mostNameBytes) name = name.slice(0, -1);
  return `${dirname(path)}/.${name.toWellFormed()}.${crypto.randomUUID().slice(0, 8)}.partial`;
}
