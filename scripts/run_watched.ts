/**
 * Runs a process of tests, and ends it if it hangs. It measures the processor time of the process and its
 * children, so that other work on the machine does not matter.
 *
 * @module
 */

import { endProcesses, processTree } from "./process_tree.ts";

/** The limits of a process. */
export interface WatchLimits {
  /** Seconds of processor time after which it is ended. */
  readonly processorSeconds: number;
  /** Seconds with next to no processor time after which it counts as stuck and is ended. */
  readonly idleSeconds: number;
}

/** The result of a process. */
export interface Watched {
  readonly output: string;
  /** Its status, the signal that ended it, or the limit that it exceeded. */
  readonly end: number | string;
  /** Seconds of processor time, as last read; 0 if the system does not show them. */
  readonly processorSeconds: number;
}

/** The least processor time in `idleSeconds` of a process that is not stuck, on any machine. */
const BUSY_SECONDS = 0.1;
const POLL_MS = 500;

/** Runs `deno` with arguments. If the system does not show processor time, limits the elapsed time, tenfold. */
export async function runWatched(
  args: readonly string[],
  limits: WatchLimits,
  options: Pick<Deno.CommandOptions, "env" | "cwd"> = {},
): Promise<Watched> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...args],
    ...options,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const start = performance.now();
  let processorSeconds = 0;
  let idle = { since: start, seconds: 0 };
  let reason: string | undefined;
  const timer = setInterval(() => {
    const tree = processTree(child.pid);
    const now = performance.now();
    processorSeconds = Math.max(processorSeconds, tree?.seconds ?? 0);
    if (processorSeconds - idle.seconds >= BUSY_SECONDS) {
      idle = { since: now, seconds: processorSeconds };
    }
    const { idleSeconds } = limits;
    if (tree === undefined) {
      const seconds = 10 * limits.processorSeconds;
      if (now - start > 1000 * seconds) reason ??= `${seconds} seconds`;
    } else if (processorSeconds > limits.processorSeconds) {
      reason ??= `${limits.processorSeconds} seconds of processor time`;
    } else if (now - idle.since > 1000 * idleSeconds) {
      reason ??= `${idleSeconds} seconds without any work`;
    }
    if (reason !== undefined) endProcesses(tree?.pids ?? [child.pid]);
  }, POLL_MS);
  const { code, signal, stdout, stderr } = await child.output();
  clearInterval(timer);
  const text = new TextDecoder();
  const output = text.decode(stdout) + text.decode(stderr);
  return { output, end: reason ?? signal ?? code, processorSeconds };
}
