/**
 * The names of the streams that a process is given.
 *
 * @module
 */

/** A name that stands for stdin where it is read and for stdout where it is written. */
const standardStream = "-";

/**
 * Paths of what a process has open. Opening them would open the file behind them anew, at its start
 * and not for appending, so that what the process was given is used as it is.
 */
const descriptor = /^\/(?:dev|proc\/(self|thread-self|\d+))\/fd\/(\d+)$/;
const named = new Map([["/dev/stdin", 0], ["/dev/stdout", 1], ["/dev/stderr", 2]]);

/** Whether a path that is read is stdin. */
export function isStdin(path: string): boolean {
  return path === standardStream || ownDescriptor(path) === 0;
}

/** Whether a path that is written is stdout. */
export function isStdout(path: string): boolean {
  return path === standardStream || ownDescriptor(path) === 1;
}

/** Whether a path that is written is stderr. */
export function isStderr(path: string): boolean {
  return ownDescriptor(path) === 2;
}

/** Whether a path names what a process has open, so that nothing can be put in its place. */
export function isDescriptor(path: string): boolean {
  return descriptor.test(path) || named.has(path);
}

/** The flags of what is open, on Linux: how it is (O_ACCMODE), and that it was not given (O_CLOEXEC). */
const accessMode = 0o3;
const [readOnly, writeOnly] = [0o0, 0o1];
const closedOnExec = 0o2000000;

/**
 * Throws where a path names a number that the process was not given for this: the runtime has files of
 * its own open under such numbers.
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

/** The number under which this process has open what a path names. */
function ownDescriptor(path: string): number | undefined {
  const [, process = "self", number] = descriptor.exec(path) ?? [];
  if (number === undefined) return named.get(path);
  return /self$/.test(process) || Number(process) === Deno.pid ? Number(number) : undefined;
}
