/**
 * The temporary folders of this process, by their paths: what ends it can remove them without what
 * reads and writes files in them.
 *
 * @module
 */

/** The folders that exist. */
const folders = new Set<string>();

/**
 * Creates a folder that only its owner may enter, in `parent` or where the system has temporary files,
 * and notes it before any signal can arrive.
 */
export function createTempFolder(parent: string | undefined): string {
  const path = Deno.makeTempDirSync({
    prefix: "sluice-",
    ...(parent === undefined ? {} : { dir: parent }),
  });
  folders.add(path);
  return path;
}

/** Removes a folder that `createTempFolder` made, with what is in it; one that is gone stays so. */
export function removeTempFolder(path: string): void {
  if (folders.delete(path)) removeQuietly(path);
}

/** Removes all temporary folders of this process synchronously, for handlers that then exit. */
export function removeTempFolders(): void {
  for (const path of folders) removeQuietly(path);
  folders.clear();
}

/** Removes a file or a folder, which may be gone already. */
export function removeQuietly(path: string): void {
  try {
    Deno.removeSync(path, { recursive: true });
  } catch {
    // It may have been removed already.
  }
}
