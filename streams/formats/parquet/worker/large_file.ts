/**
 * Decides by size whether a file is decoded on another thread.
 *
 * @module
 */

/** The fewest bytes of a file for which another thread saves time. */
export const largeFileBytes: number = 4 << 20;

/** Whether a path names a large file, as far as is known without a prompt for permission. */
export function isLargeFile(path: string): boolean {
  return (sizeOf(path) ?? 0) >= largeFileBytes;
}

/**
 * Whether a path names a file of fewer than `bytes` bytes, as far as is known without a prompt for
 * permission.
 */
export function isSmallFile(path: string, bytes: number): boolean {
  return (sizeOf(path) ?? Infinity) < bytes;
}

/** Returns the size of a regular file; undefined for others, or without permission. */
function sizeOf(path: string): number | undefined {
  try {
    if (Deno.permissions.querySync({ name: "read", path }).state !== "granted") return undefined;
    const { isFile, size } = Deno.statSync(path);
    return isFile ? size : undefined;
  } catch {
    return undefined;
  }
}
