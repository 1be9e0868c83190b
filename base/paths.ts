/**
 * Paths in the form of this operating system. This module avoids `node:path` and the parts of `@std/path` that
 * detect the system: they load much of Node, which takes as long as a small command.
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

/** Returns the last part of a path. */
export const basename: (path: string) => string = isWindows ? windowsBasename : posixBasename;

/** Returns a path without its last part; `.` if there is no other part. */
export const dirname: (path: string) => string = isWindows ? windowsDirname : posixDirname;

/** Whether a path is absolute. */
export const isAbsolute: (path: string) => boolean = isWindows
  ? windowsIsAbsolute
  : posixIsAbsolute;

/** Returns the path of a `file:` URL. */
export const fromFileUrl: (url: string) => string = isWindows
  ? windowsFromFileUrl
  : posixFromFileUrl;

/**
 * Returns one name for all paths of a file: absolute and without links, if the file or its folder exists;
 * otherwise the path unchanged.
 */
export function placeOf(path: string): string {
  return realPath(path) ?? `${realPath(dirname(path)) ?? dirname(path)}/${basename(path)}`;
}

function realPath(path: string): string | undefined {
  try {
    return Deno.realPathSync(path);
  } catch {
    // It does not exist or is unreadable; opening it will report that.
    return undefined;
  }
}
