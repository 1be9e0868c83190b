/**
 * Writes that survive a crash of the machine. After one, a file that was written and renamed may be empty, or
 * lack its name, unless the system was told to bring both to the disk.
 *
 * @module
 */

import { toFileError } from "../../../base/errors/wrap_error.ts";
import { createFresh, writeFully } from "./fresh_file.ts";
import { dirname, isWindows } from "../../../base/paths.ts";

/** The number of files synced at a time: the system writes its journal once for many. */
const MOST_AT_ONCE = 16;

/** The parts of a tree to sync. */
interface SyncedTree {
  /** Folders to leave out. */
  readonly except?: ReadonlySet<string>;
  /** Whether to leave out the bytes of files, since they are on the disk already. */
  readonly namesOnly?: boolean;
}

/** Syncs all files below a folder to the disk, and all names. Throws a FileError. */
export async function syncTree(
  folder: string,
  { except = new Set(), namesOnly = false }: SyncedTree = {},
): Promise<void> {
  const folders = [folder];
  for (const path of folders) {
    const files: string[] = [];
    try {
      for (const { name, isDirectory, isFile } of Deno.readDirSync(path)) {
        const below = `${path}/${name}`;
        if (isDirectory && !except.has(below)) folders.push(below);
        else if (isFile && !namesOnly) files.push(below);
      }
    } catch (error) {
      throw toFileError(path, error);
    }
    await syncFiles(files);
  }
  for (const path of folders.toReversed()) syncFolder(path);
}

/** Syncs files to the disk. Throws a FileError. */
export async function syncFiles(paths: readonly string[]): Promise<void> {
  const left = paths.values();
  const syncEach = async () => {
    for (const path of left) {
      try {
        // Windows asks for the right to write.
        using file = Deno.openSync(path, { read: true, write: isWindows });
        await file.sync();
      } catch (error) {
        throw toFileError(path, error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(MOST_AT_ONCE, paths.length) }, syncEach));
}

/** Syncs the names in a folder to the disk, where the system can. Throws a FileError. */
export function syncFolder(path: string): void {
  if (isWindows) return;
  try {
    using folder = Deno.openSync(path);
    folder.syncSync();
  } catch (error) {
    // Some file systems cannot (EINVAL, ENOTSUP).
    if (error instanceof Error && /\(os error (22|95|45)\)/.test(error.message)) return;
    throw toFileError(path, error);
  }
}

/**
 * Writes a small text that only its owner may read, in place of what was there: whole, and, where it
 * `isDurable`, on the disk when this returns.
 */
export function writeNote(
  path: string,
  text: string,
  { isDurable }: { readonly isDurable: boolean },
): void {
  const partial = `${path}.partial`;
  {
    using file = createFresh(partial, 0o600);
    writeFully(file, new TextEncoder().encode(text));
    if (isDurable) file.syncSync();
  }
  Deno.renameSync(partial, path);
  if (isDurable) syncFolder(dirname(path));
}

/** Reads a text that `writeNote` wrote; undefined if there is none. Opens only files. */
export function readNote(path: string): string | undefined {
  try {
    if (!Deno.lstatSync(path).isFile) throw new Error("is not a file");
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
