/**
 * The folder for the intermediate stores of a run, in a folder that other users may write to.
 *
 * @module
 */

import { isSluiceError } from "../../base/errors/is_sluice_error.ts";
import { basename, isAbsolute, resolve } from "node:path";
import {
  checkPrivateFolder,
  createPrivateFolder,
} from "../../streams/bytes/own_files/private_folder.ts";
import { removeQuietly } from "../../base/temp_paths.ts";
import { StoreLock } from "./store_lock.ts";

/** Returns an unguessable path for the run that writes `output`. */
export function newTempPath(folder: string, output: string): string {
  return resolve(folder, `${prefixOf(output)}${crypto.randomUUID()}`);
}

/** Whether a path has the form that `newTempPath` returns, for any output. */
export function isTempPath(path: string): boolean {
  return isAbsolute(path) && /^sluice-rechunk-[0-9a-f]{16}-[0-9a-f-]{36}$/.test(basename(path));
}

/**
 * Creates the folder, or opens that of a resumed run, and locks it. Throws a FileError for a link and for a
 * folder of another user.
 */
export function openTemp(path: string): StoreLock {
  try {
    createPrivateFolder(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    checkPrivateFolder(path);
  }
  return StoreLock.take(path);
}

/**
 * Removes the folders that earlier runs for the same output left in a folder, except `keep`. No other process
 * uses them, since only one may build that output. Returns the removed paths.
 */
export function sweepTemps(folder: string, output: string, keep: string): string[] {
  const prefix = prefixOf(output);
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name);
  const others = names.filter((name) => name.startsWith(prefix)).map((name) =>
    resolve(folder, name)
  );
  return others.filter((path) => path !== keep && removeTemp(path));
}

/** Removes the folder of an earlier run. Returns false if it belongs to another user or is in use. */
function removeTemp(path: string): boolean {
  try {
    checkPrivateFolder(path);
    using _lock = StoreLock.take(path);
    removeQuietly(path);
    return true;
  } catch (error) {
    if (isSluiceError(error, "FileError") || error instanceof Deno.errors.PermissionDenied) {
      return false;
    }
    throw error;
  }
}

/** Returns the prefix of the names of the folders for one output. */
function prefixOf(output: string): string {
  return `sluice-rechunk-${hashOf(resolve(output))}-`;
}

/** Returns the 64-bit FNV-1a hash of a text, as sixteen hexadecimal digits. */
function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, "0");
}
