/** @module */

/** Bytes of a file from which it takes less long to decode it on another thread. */
export const largeFileBytes: number = 4 << 20;

/** Whether a path names such a file, as far as may be known without a question to the user. */
export function isLargeFile(path: string): boolean {
  return (sizeOf(path) ?? 0) >= largeFileBytes;
}

/** Whether a path names a file of fewer bytes, as far as may be known without a question to the user. */
export function isSmallFile(path: string, bytes: number): boolean {
  return (sizeOf(path) ?? Infinity) < bytes;
}

/** The size of a regular file; undefined if it is none, or may not be known. */
function sizeOf(path: string): number | undefined {
  try {
    if (Deno.permissions.querySync({ name: "read", path }).state !== "granted") return undefined;
    const { isFile, size } = Deno.statSync(path);
    return isFile ? size : undefined;
  } catch {
    return undefined;
  }
}
