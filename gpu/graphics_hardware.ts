/**
 * Whether the system has graphics hardware, by the files that Linux shows of it.
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
 * Whether there may be graphics hardware. Asking for an adapter only to learn that it is software
 * costs some 45 ms and 75 MB, and Mesa's drivers now and then abort a process that exits. Without the
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
