/**
 * The names of the streams that a process is given.
 *
 * @module
 */

/** A name that stands for stdin where it is read and for stdout where it is written. */
export const standardStream = "-";

/**
 * Which stream a path that is read or written stands for. What a path of these would open anew, such
 * as the file that stdout was redirected to, is used as it was given: where it stands, and for
 * appending where it was opened for that.
 */
const descriptor = /^\/(?:dev|proc\/(?:self|thread-self|\d+))\/fd\/(\d+)$/;

/** Whether a path that is read is stdin. */
export function isStdin(path: string): boolean {
  return path === standardStream || path === "/dev/stdin" || ownDescriptor(path) === 0;
}

/** Whether a path that is written is stdout. */
export function isStdout(path: string): boolean {
  return path === standardStream || path === "/dev/stdout" || ownDescriptor(path) === 1;
}

/** Whether a path that is written is stderr. */
export function isStderr(path: string): boolean {
  return path === "/dev/stderr" || ownDescriptor(path) === 2;
}

/** Whether a path names what a process has open, so that nothing can be put in its place. */
export function isDescriptor(path: string): boolean {
  return descriptor.test(path) || /^\/dev\/std(in|out|err)$/.test(path);
}

function ownDescriptor(path: string): number | undefined {
  const [, number] = descriptor.exec(path) ?? [];
  const isOwn = /^\/(dev|proc\/(thread-)?self)\//.test(path) ||
    path.startsWith(`/proc/${Deno.pid}/`);
  return number !== undefined && isOwn ? Number(number) : undefined;
}
