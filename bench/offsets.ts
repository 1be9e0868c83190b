/**
 * Measures whether support for 64-bit offsets slows down text below the threshold: jobs over short text with the
 * last commit without them, with this checkout, and with this checkout in a process that has used 64-bit offsets
 * before.
 *
 * @module
 */

import { checkoutPath } from "../tests/support/processes/sluice.ts";

/** The last commit in which all offsets of text have 32 bits. */
const WITHOUT = "687746d";

/** The least processor time of a job, in milliseconds. */
interface OffsetsRun {
  readonly job: string;
  /** Undefined if the history of this checkout lacks that commit. */
  readonly without: number | undefined;
  readonly now: number;
  /** The time in a process that used 64-bit offsets before. */
  readonly afterWide: number;
}

/** Runs all jobs, the versions in turn, each time in a new process. */
export async function measureOffsets(numRounds: number): Promise<OffsetsRun[]> {
  const folder = await Deno.makeTempDir({ prefix: "sluice-bench-" });
  try {
    const here = checkoutPath(".");
    const hasBefore = await unpack(here, folder);
    const before: Record<string, number> = {};
    const now: Record<string, number> = {};
    const afterWide: Record<string, number> = {};
    for (let round = 0; round < numRounds; round++) {
      if (hasBefore) await keepLeast(before, [folder]);
      await keepLeast(now, [here]);
      await keepLeast(afterWide, [here, "afterWide"]);
    }
    return Object.keys(now).map((job) => ({
      job,
      without: before[job],
      now: now[job]!,
      afterWide: afterWide[job]!,
    }));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Unpacks the files of the commit to a folder. Returns false if git or the commit is missing. */
async function unpack(checkout: string, folder: string): Promise<boolean> {
  const git = new Deno.Command("git", {
    args: ["-C", checkout, "archive", "--format=tar", `--output=${folder}/files.tar`, WITHOUT],
    stderr: "null",
  });
  const archived = await git.output().then(({ success }) => success, () => false);
  if (!archived) return false;
  const tar = new Deno.Command("tar", { args: ["-xf", `${folder}/files.tar`, "-C", folder] });
  return (await tar.output()).success;
}

async function keepLeast(least: Record<string, number>, args: readonly string[]): Promise<void> {
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", "-A", "--no-check", checkoutPath("bench/offsets_job.ts"), ...args],
    stderr: "inherit",
  }).output();
  if (!success) throw new Error("The job with offsets failed");
  const times: Record<string, number> = JSON.parse(new TextDecoder().decode(stdout));
  for (const [job, time] of Object.entries(times)) {
    least[job] = Math.min(least[job] ?? Infinity, time);
  }
}
