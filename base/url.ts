/**
 * URLs and paths of files: their kind, their names, and how errors print them.
 *
 * @module
 */

import { fromFileUrl, isWindows } from "./paths.ts";

/** Whether a path is the URL of a file on a server. */
export function isUrl(path: string): boolean {
  return /^https?:\/\//i.test(path);
}

/** Whether a path is a URL of any scheme, such as `s3://bucket/a.csv`. */
export function hasScheme(path: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(path);
}

/** Returns the path of a `file:` URL of this machine; anything else unchanged, as text. */
export function localPath(file: string | URL): string {
  const path = file instanceof URL ? file.href : file;
  if (!/^file:\/\//i.test(path)) return path;
  try {
    const { host, pathname } = new URL(path);
    // No local file has the name of another machine, an escaped slash or an invalid escape.
    if ((host !== "" && !isWindows) || /%2f|%(?![\da-f]{2})/i.test(pathname)) {
      return path;
    }
    return fromFileUrl(path);
  } catch {
    return path;
  }
}

/** The public parts of a URL: scheme, host and path. */
const visible = /^(https?:\/\/)(?:[^/?#]*@)?([^?#]*)/i;

/** Returns a URL without user, password, query and fragment, which may contain secrets. */
export function nameOfUrl(url: string): string {
  const [, scheme, rest] = visible.exec(url) ?? [];
  return scheme === undefined ? url : `${scheme}${rest}`;
}

/** Returns the path of a file as errors print it: only the public parts of a URL. */
export function nameOfPath(path: string): string {
  return isUrl(path) ? nameOfUrl(path) : path;
}

/** Returns the last part of a path or URL: the name of the file. */
export function fileNameOf(path: string): string {
  if (!isUrl(path)) return path.slice(path.lastIndexOf("/") + 1);
  const [, , rest = ""] = visible.exec(path) ?? [];
  // Without a slash, there is only a host.
  const slash = rest.lastIndexOf("/");
  return slash < 0 ? "" : rest.slice(slash + 1);
}
