/**
 * A process and all that it has started, as Linux shows them.
 *
 * @module
 */

/** Clock ticks of a second in /proc, on every Linux. */
const TICKS = 100;

interface Entry {
  readonly parent: number;
  readonly ticks: number;
}

/** What `/proc/PID/stat` says, undefined where there is no such process. */
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
 * The ids of a process and of all that it has started, itself last, and the seconds of processor time
 * that they have taken, with those of children that have ended. Undefined where nothing shows them.
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

/** Ends processes; some of them may have ended by themselves. */
export function endProcesses(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      Deno.kill(pid, "SIGKILL");
    } catch {
      // It is gone.
    }
  }
}
