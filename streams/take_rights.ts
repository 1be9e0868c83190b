/**
 * Owner, group and mode of a file that replaces another.
 *
 * @module
 */

import { closeSync, constants, fchmodSync, fchownSync, fstatSync, openSync } from "node:fs";

/** Of the bits of a mode those that say who may read, write and run it. */
const permissions = 0o777;

/**
 * Gives a new file, which only we can read so far, the owner, the group and the mode of the one that
 * it will replace. Where the system does not let us give it the group, those who are not the owner
 * get what both the group and the others had, so that nobody may do more than before. The new file
 * is asked for by what is open, not by its name: another may have come under that.
 */
export function takeRights(path: string, created: Deno.FileInfo, old: Deno.FileInfo): void {
  if (old.mode === null || old.uid === null || old.gid === null) return;
  const file = openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW);
  try {
    const own = fstatSync(file);
    if (own.ino !== created.ino || own.dev !== created.dev) {
      throw new Error("another file has come under the name of the one that was begun");
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

/** The mode for a file that has the same group or has not. */
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
