/**
 * What a URL says about the file behind it. Imports little, so that the command line can load it
 * quickly.
 *
 * @module
 */

import { fromFileUrl, isWindows } from "./paths.ts";

/** Whether a path is the URL of a file on a server. */
export function isUrl(path: string): boolean {
  return /^https?:\/\//i.test(path);
}

/** Whether a path is a URL of any scheme, as `s3://bucket/a.csv` is. */
export function hasScheme(path: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(path);
}

/** The path that the URL of a file on this machine names; of anything else its text, as it is. */
export function localPath(file: string | URL): string {
  const path = file instanceof URL ? file.href : file;
  if (!/^file:\/\//i.test(path)) return path;
  try {
    const { host, pathname } = new URL(path);
    // A name of another machine, an escaped slash or a bad escape: no file here has it.
    if ((host !== "" && !isWindows) || /%2f|%(?![\da-f]{2})/i.test(pathname)) {
      return path;
    }
    return fromFileUrl(path);
  } catch {
    return path;
  }
}

/** The parts of a URL that anyone may see: scheme, host and path. */
const visible = /^(https?:\/\/)(?:[^/?#]*@)?([^?#]*)/i;

/** The URL without user, password, query and fragment, which may hold secrets. */
export function nameOfUrl(url: string): string {
  const [, scheme, rest] = visible.exec(url) ?? [];
  return scheme === undefined ? url : `${scheme}${rest}`;
}

/** The path of a file as errors print it: of a URL only what anyone may see. */
export function nameOfPath(path: string): string {
  return isUrl(path) ? nameOfUrl(path) : path;
}

/** The last part of a path or URL: the name of the file. */
export function fileNameOf(path: string): string {
  if (!isUrl(path)) return path.slice(path.lastIndexOf("/") + 1);
  const [, , rest = ""] = visible.exec(path) ?? [];
  // What has no slash is the host alone.
  const slash = rest.lastIndexOf("/");
  return slash < 0 ? "" : rest.slice(slash + 1);
}
