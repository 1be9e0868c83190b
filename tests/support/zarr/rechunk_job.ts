/**
 * A process that rechunks one array, and can be killed in the middle of it. Its argument is a
 * `RechunkJob`; it prints the bytes that its memory had at most.
 */

import { planFixed } from "../../../ops/rechunk/plan/plan_fixed.ts";
import { runRechunk } from "../../../ops/rechunk/move/run_rechunk.ts";
import { createFixed, openFixed } from "./stored_arrays.ts";

export interface RechunkJob {
  readonly from: string;
  readonly to: string;
  readonly temp: string;
  readonly chunk: readonly number[];
  readonly maxMem: number;
  readonly stages?: number;
  readonly resume?: boolean;
  readonly threads?: number;
  /** Chunks read and written after which the process kills itself. */
  readonly killAfter?: number;
}

if (import.meta.main) await work(JSON.parse(Deno.args[0]!));

async function work(job: RechunkJob): Promise<void> {
  const { from, to, temp, chunk, maxMem, stages, resume = false, killAfter = Infinity } = job;
  const threads = job.threads === undefined ? {} : { threads: job.threads };
  const opened = await openFixed(from);
  const source = opened;
  const target = await createFixed(to, source.metadata, { chunk });
  const plan = planFixed({ source, target, maxMem, stages });
  let left = killAfter;
  const onProgress = () => {
    if (left-- === 0) Deno.kill(Deno.pid, "SIGKILL");
  };
  await runRechunk({ source, target, plan, maxMem, temp, resume, onProgress, ...threads });
  console.log(peakBytes());
}

/** The status of this process in Linux. */
function peakBytes(): number {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(Deno.readTextFileSync("/proc/self/status"))!;
  return 1024 * Number(kibibytes);
}
