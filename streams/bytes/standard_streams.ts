/**
 * Paths that name the standard streams or other open descriptors of the process.
 *
 * @module
 */

/** Stdin for reading, stdout for writing. */
const standardStream = "-";

/**
 * Paths of open descriptors. Opening one would open the file behind it again, at its start and not for
 * appending, so the descriptor itself is used.
 */
const descriptor = /^\/(?:dev|proc\/(self|thread-self|\d+))\/fd\/(\d+)$/;
const named = new Map([["/dev/stdin", 0], ["/dev/stdout", 1], ["/dev/stderr", 2]]);

/** Whether a path that is read is stdin. */
export function isStdin(path: string): boolean {
  return path === standardStream || ownDescriptor(path) === 0;
}

/** Returns the name in errors of what is read; those of URLs print only a part of it. */
export function nameOfInput(path: string): string {
  return isStdin(path) ? "standard input" : path;
}

/** Whether a path that is written is stdout. */
export function isStdout(path: string): boolean {
  return path === standardStream || ownDescriptor(path) === 1;
}

/** Whether a path that is written is stderr. */
export function isStderr(path: string): boolean {
  return ownDescriptor(path) === 2;
}

/** Whether a path names an open descriptor, which cannot be replaced by a file. */
export function isDescriptor(path: string): boolean {
  return descriptor.test(path) || named.has(path);
}

/** Flags of descriptors on Linux: O_ACCMODE, and O_CLOEXEC, which inherited ones do not have. */
const accessMode = 0o3;
const [readOnly, writeOnly] = [0o0, 0o1];
const closedOnExec = 0o2000000;

/**
 * Throws if a path names a descriptor that was not inherited for this use: the runtime has descriptors
 * of its own.
 */
export function checkDescriptor(path: string, use: "reading" | "writing"): void {
  const number = ownDescriptor(path);
  if (number === undefined || Deno.build.os !== "linux") return;
  const flags = flagsOf(number);
  const isGiven = flags !== undefined && (flags & closedOnExec) === 0 &&
    (flags & accessMode) !== (use === "reading" ? writeOnly : readOnly);
  if (!isGiven) throw new Error(`is not open for ${use}`);
}

function flagsOf(number: number): number | undefined {
  try {
    const [, flags] =
      /^flags:\s*(\d+)/m.exec(Deno.readTextFileSync(`/proc/self/fdinfo/${number}`)) ?? [];
    return flags === undefined ? undefined : parseInt(flags, 8);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Returns the descriptor of this process that a path names. */
function ownDescriptor(path: string): number | undefined {
  const [, process = "self", number] = descriptor.exec(path) ?? [];
  if (number === undefined) return named.get(path);
  return /self$/.test(process) || Number(process) === Deno.pid ? Number(number) : undefined;
}
