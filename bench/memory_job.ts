/**
 * One stream job in a process of its own, so that its peak memory can be read: the flights,
 * `times` times over, with a text more, the rows that were late, in even batches, to a file. Prints
 * what it did as JSON.
 *
 *     deno run -A bench/memory_job.ts 10 out.arrow
 *
 * @module
 */

import { flightsFile } from "../tests/support/processes/sluice.ts";
import {
  createEngine,
  expr,
  filter,
  read,
  regroup,
  type RunStats,
  withColumns,
  write,
} from "../mod.ts";

/** What the job did. */
export interface MemoryResult {
  readonly numRowsIn: number;
  readonly numRowsOut: number;
  readonly fileBytes: number;
  readonly peakBytes: number;
}

if (import.meta.main) {
  const [times, path] = Deno.args;
  if (times === undefined || path === undefined) throw new TypeError("Give a count and a file");
  console.log(JSON.stringify(await runJob(Number(times), path)));
}

async function runJob(times: number, path: string): Promise<MemoryResult> {
  let run: RunStats | undefined;
  const engine = createEngine({ device: "cpu", onRun: (started) => run = started });
  await read(Array.from({ length: times }, () => flightsFile), { engine })
    .pipeThrough(withColumns({ route: expr('origin + " > " + destination') }))
    .pipeThrough(filter(expr("delay > 0")))
    .pipeThrough(regroup({ rows: 65_536 }))
    .pipeTo(write(path));
  return {
    numRowsIn: run!.numRowsIn,
    numRowsOut: run!.numRowsOut,
    fileBytes: Deno.statSync(path).size,
    peakBytes: peakBytes(),
  };
}

/** The most memory that the process ever had in use, as the kernel counted it. */
export function peakBytes(): number {
  if (Deno.build.os !== "linux") throw new Error("Peak memory can be read on Linux only");
  const status = Deno.readTextFileSync("/proc/self/status");
  return 1024 * Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)![1]);
}
