/**
 * Runs a process of tests, and ends it when it hangs. Other work on the machine does not matter: what
 * counts is the processor time that the process and its children take.
 *
 * @module
 */

import { endProcesses, processTree } from "./process_tree.ts";

/** When a process is ended. */
export interface WatchLimits {
  /** Seconds of processor time after which it is ended: it does not come to an end. */
  readonly processorSeconds: number;
  /** Seconds of next to no processor time after which the process is taken for stuck and ended. */
  readonly idleSeconds: number;
}

/** What came of a process. */
export interface Watched {
  readonly output: string;
  /** How it ended: its status, the signal that has ended it, or the limit for which it was ended. */
  readonly end: number | string;
  /** Seconds of processor time, as they were last seen; 0 where the system does not say. */
  readonly processorSeconds: number;
}

/** Seconds of processor time that a process has on any machine in `idleSeconds`, if it has any use for it. */
const BUSY_SECONDS = 0.1;
const POLL_MS = 500;

/** Runs `deno` with arguments. Where the system does not show processor time, the clock counts, tenfold. */
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
