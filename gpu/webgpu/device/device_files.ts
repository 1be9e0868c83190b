/**
 * The files by which Linux shows graphics hardware.
 *
 * @module
 */

/** Of the kernel's own drivers, of NVIDIA, of Windows below Linux, and of small boards. */
const DEVICE_FILES = [
  "/dev/dri",
  "/dev/nvidiactl",
  "/dev/nvhost-ctrl",
  "/dev/nvmap",
  "/dev/dxg",
  "/dev/kgsl-3d0",
  "/dev/mali0",
];

/**
 * Whether there may be graphics hardware. Loading drivers only to learn that all of them are
 * software costs some 30 ms, and Mesa's now and then abort a process that exits. Without the
 * permission to look, and where files do not tell, there may be.
 */
export function mayHaveHardware(isThere: (path: string) => boolean = mayBeThere): boolean {
  return globalThis.Deno?.build.os !== "linux" || DEVICE_FILES.some(isThere);
}

function mayBeThere(path: string): boolean {
  if (Deno.permissions.querySync({ name: "read", path }).state !== "granted") return true;
  try {
    Deno.statSync(path);
    return true;
  } catch (error) {
    return !(error instanceof Deno.errors.NotFound);
  }
}
