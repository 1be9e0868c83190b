/**
 * Measures the peak memory of a stream job, which must not grow with its input: over the input once and ten times.
 *
 * @module
 */

import { checkoutPath } from "../tests/support/processes/sluice.ts";
import type { MemoryResult } from "./memory_job.ts";

/** One job over an input of some length. */
interface MemoryRun extends MemoryResult {
  readonly format: string;
  /** The number of times that the input was read. */
  readonly times: number;
}

/** Runs the job for each format and length, each in its own process. */
export async function* measureMemory(): AsyncGenerator<MemoryRun, void, void> {
  const folder = await Deno.makeTempDir({ prefix: "sluice-bench-" });
  try {
    for (const format of ["arrow", "csv"]) {
      for (const times of [1, 10]) {
        yield { format, times, ...await runJob(times, `${folder}/out.${format}`) };
      }
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function runJob(times: number, path: string): Promise<MemoryResult> {
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", "-A", checkoutPath("bench/memory_job.ts"), `${times}`, path],
    stderr: "inherit",
  }).output();
  if (!success) throw new Error("The memory job failed");
  return JSON.parse(new TextDecoder().decode(stdout));
}
