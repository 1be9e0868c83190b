/**
 * Paths as the system of this machine writes them. `node:path`, and the functions of `@std/path` that ask
 * for the system, load much of Node, which takes as long as a small command.
 *
 * @module
 */

import { basename as posixBasename } from "@std/path/posix/basename";
import { dirname as posixDirname } from "@std/path/posix/dirname";
import { fromFileUrl as posixFromFileUrl } from "@std/path/posix/from-file-url";
import { isAbsolute as posixIsAbsolute } from "@std/path/posix/is-absolute";
import { basename as windowsBasename } from "@std/path/windows/basename";
import { dirname as windowsDirname } from "@std/path/windows/dirname";
import { fromFileUrl as windowsFromFileUrl } from "@std/path/windows/from-file-url";
import { isAbsolute as windowsIsAbsolute } from "@std/path/windows/is-absolute";

/** Whether this is Windows. */
export const isWindows: boolean = globalThis.Deno?.build.os === "windows";

/** The last part of a path. */
export const basename: (path: string) => string = isWindows ? windowsBasename : posixBasename;

/** A path without its last part; `.` if it has no other. */
export const dirname: (path: string) => string = isWindows ? windowsDirname : posixDirname;

/** Whether a path begins at a root. */
export const isAbsolute: (path: string) => boolean = isWindows
  ? windowsIsAbsolute
  : posixIsAbsolute;

/** The path that a `file:` URL names. */
export const fromFileUrl: (url: string) => string = isWindows
  ? windowsFromFileUrl
  : posixFromFileUrl;

/**
 * One name for each file, however its path is written: absolute and without links, as far as the file or
 * its folder exists; else the path as it is.
 */
export function placeOf(path: string): string {
  return realPath(path) ?? `${realPath(dirname(path)) ?? dirname(path)}/${basename(path)}`;
}

function realPath(path: string): string | undefined {
  try {
    return Deno.realPathSync(path);
  } catch {
    // It does not exist, or nobody may look: whoever opens it says so.
    return undefined;
  }
}
