/**
 * Creates and removes temporary folders, and notes them as paths that must not outlive this process.
 *
 * @module
 */

import { forgetPartial, notePartial, removeQuietly } from "./partial_paths.ts";

export { removeQuietly };

/**
 * Creates a folder that only its owner may enter, in `parent` or in the system's folder for temporary
 * files, and notes it before a signal can arrive.
 */
export function createTempFolder(parent: string | undefined): string {
  const path = Deno.makeTempDirSync({
    prefix: "sluice-",
    ...(parent === undefined ? {} : { dir: parent }),
  });
  notePartial(path);
  return path;
}

/** Removes a folder that `createTempFolder` created, unless it was removed already. */
export function removeTempFolder(path: string): void {
  if (forgetPartial(path)) removeQuietly(path);
}
