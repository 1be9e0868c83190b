/**
 * Where the program of a thread is, and whether a thread may be started with it.
 *
 * @module
 */

/**
 * The program of a thread: the place of its module, or its text. A text needs no permission and is there
 * in every bundle; a module is loaded only where it is needed.
 */
export type ThreadProgram = URL | string;

/** The folder that has all modules of programs. */
const root = new URL("../../", import.meta.url);

/**
 * Whether a thread can be started with a program, without a question to the user: a module may be
 * unreadable, and is not there in a bundle that others made.
 */
export function canStart(program: ThreadProgram): boolean {
  if (typeof Worker === "undefined") return false;
  if (typeof program === "string") return true;
  const { protocol, host } = program;
  try {
    if (protocol !== "file:") return isGranted({ name: "import", host });
    return isGranted({ name: "read", path: root }) && Deno.statSync(program).isFile;
  } catch {
    return false;
  }
}

/** Whether threads can share memory, and this one may wait for them: a page may not. */
export function canShareMemory(): boolean {
  if (typeof SharedArrayBuffer === "undefined" || typeof Worker === "undefined") return false;
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1, 0);
    return true;
  } catch {
    return false;
  }
}

function isGranted(wanted: Deno.PermissionDescriptor): boolean {
  // What is granted but for some folders is no grant of all.
  const { state, partial } = Deno.permissions.querySync(wanted);
  return state === "granted" && !partial;
}
