/**
 * Runs one stream job in its own process, so that its peak memory can be read: reads the flights `times` times,
 * adds a text, keeps the late ones, and writes them in even batches to a file. Prints the result as JSON.
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

/** The result of the job. */
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

/** Returns the peak memory of the process, as the kernel counts it. */
export function peakBytes(): number {
  if (Deno.build.os !== "linux") throw new Error("Peak memory can be read on Linux only");
  const status = Deno.readTextFileSync("/proc/self/status");
  return 1024 * Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)![1]);
}
