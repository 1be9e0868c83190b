/**
 * Passes owner, group and mode on to a file that replaces another.
 *
 * @module
 */

import { closeSync, constants, fchmodSync, fchownSync, fstatSync, openSync } from "node:fs";

/** The permission bits of a mode. */
const permissions = 0o777;

/**
 * Gives a new file, so far readable only by its owner, the owner, group and mode of the one it will
 * replace. If the group cannot be set, group and others get only the permissions that both had, so that
 * no one gains any. Checks that the path still names the file we created.
 */
export function takeRights(path: string, created: Deno.FileInfo, old: Deno.FileInfo): void {
  if (old.mode === null || old.uid === null || old.gid === null) return;
  const file = openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW);
  try {
    const own = fstatSync(file);
    if (own.ino !== created.ino || own.dev !== created.dev) {
      throw new Error("another file now has the name of the one that was begun");
    }
    if (own.uid !== old.uid || own.gid !== old.gid) {
      if (!changes(() => fchownSync(file, old.uid!, old.gid!))) {
        changes(() => fchownSync(file, own.uid, old.gid!));
      }
    }
    const { gid, mode } = fstatSync(file);
    const wanted = keptMode(old.mode & permissions, gid === old.gid);
    if ((mode & permissions) !== wanted) fchmodSync(file, wanted);
  } finally {
    closeSync(file);
  }
}

/** Returns the mode of the new file, which depends on whether the group could be set. */
export function keptMode(mode: number, hasGroup: boolean): number {
  if (hasGroup) return mode;
  const both = (mode >> 3) & mode & 0o7;
  return (mode & 0o700) | (both << 3) | both;
}

function changes(change: () => void): boolean {
  try {
    change();
    return true;
  } catch {
    return false;
  }
}
