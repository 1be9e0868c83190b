/**
 * A process and its descendants, from Linux's `/proc`.
 *
 * @module
 */

/** The clock ticks of a second in /proc, the same on every Linux. */
const TICKS = 100;

interface Entry {
  readonly parent: number;
  readonly ticks: number;
}

/** Reads `/proc/PID/stat`; undefined if there is no such process. */
function entryOf(pid: string | number): Entry | undefined {
  let text: string;
  try {
    text = Deno.readTextFileSync(`/proc/${pid}/stat`);
  } catch {
    return undefined;
  }
  // The name, in parentheses, may have blanks.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { parent: Number(fields[1]), ticks };
}

/**
 * Returns the ids of a process and its descendants, itself last, and the seconds of processor time that they
 * have taken, including children that have ended. Undefined if the system does not show them.
 */
export function processTree(root: number): { pids: number[]; seconds: number } | undefined {
  if (Deno.build.os !== "linux") return undefined;
  const children = new Map<number, number[]>();
  const ticks = new Map<number, number>();
  for (const { name } of Deno.readDirSync("/proc")) {
    const entry = /^\d+$/.test(name) ? entryOf(name) : undefined;
    if (entry === undefined) continue;
    ticks.set(Number(name), entry.ticks);
    children.set(entry.parent, [...children.get(entry.parent) ?? [], Number(name)]);
  }
  const pids = [root];
  for (const pid of pids) pids.push(...children.get(pid) ?? []);
  const total = pids.reduce((sum, pid) => sum + (ticks.get(pid) ?? 0), 0);
  return { pids: pids.reverse(), seconds: total / TICKS };
}

/** Kills processes, some of which may have ended already. */
export function endProcesses(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      Deno.kill(pid, "SIGKILL");
    } catch {
      // It is gone.
    }
  }
}
