/** @module */

/**
 * Whether the program of a worker may be loaded without a question to the user, and is there: not in a
 * bundle that others made.
 */
export function canLoad(program: URL): boolean {
  const { protocol, host } = program;
  const isGranted = (wanted: Deno.PermissionDescriptor) =>
    Deno.permissions.querySync(wanted).state === "granted";
  try {
    if (protocol !== "file:") return isGranted({ name: "import", host });
    return isGranted({ name: "read", path: program }) && Deno.statSync(program).isFile;
  } catch {
    return false;
  }
}
