/**
 * The temporary folders of this process, by their paths: what ends it can remove them without what
 * reads and writes files in them.
 *
 * @module
 */

import { forgetPartial, notePartial, removeQuietly } from "./partial_paths.ts";

export { removeQuietly };

/**
 * Creates a folder that only its owner may enter, in `parent` or where the system has temporary files,
 * and notes it before any signal can arrive.
 */
export function createTempFolder(parent: string | undefined): string {
  const path = Deno.makeTempDirSync({
    prefix: "sluice-",
    ...(parent === undefined ? {} : { dir: parent }),
  });
  notePartial(path);
  return path;
}

/** Removes a folder that `createTempFolder` made, with what is in it; one that is gone stays so. */
export function removeTempFolder(path: string): void {
  if (forgetPartial(path)) removeQuietly(path);
}
