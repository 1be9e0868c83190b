/** @module */

/** Bytes of a file from which it takes less long to decode it on another thread. */
export const largeFileBytes: number = 4 << 20;

/** Whether a path names such a file, as far as may be known without a question to the user. */
export function isLargeFile(path: string): boolean {
  try {
    if (Deno.permissions.querySync({ name: "read", path }).state !== "granted") return false;
    const { isFile, size } = Deno.statSync(path);
    return isFile && size >= largeFileBytes;
  } catch {
    return false;
  }
}
