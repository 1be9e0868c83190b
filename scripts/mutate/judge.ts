/**
 * Runs tests over a fault until one of them finds it.
 *
 * @module
 */

import { driverVariables } from "../adapter.ts";
import { runWatched, type Watched, type WatchLimits } from "../run_watched.ts";
import { resultOf } from "../side_by_side.ts";
import { TEST_ARGS } from "../run_tests.ts";
import type { Copy } from "./copy.ts";
import { nearestTests } from "./nearest_tests.ts";
import type { MutationRecord, Planted } from "./record.ts";

/** The limits of the search for a fault. */
interface Patience {
  /** Seconds of processor time after which no more test files start. */
  readonly seconds: number;
  /** Minutes of fuzzing, for a fault that no test finds. */
  readonly fuzzMinutes: number;
}

/** The assumed processor time of a file that has not run yet. */
const USUAL_SECONDS = 4;

/** Looks for a fault that is planted in the copy, and notes the outcome in `planted`. */
export async function judge(
  planted: Planted,
  copy: Copy,
  record: MutationRecord,
  importers: ReadonlyMap<string, readonly string[]>,
  { seconds: mostSeconds, fuzzMinutes }: Patience,
  withoutFault: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<void> {
  const { sound, seed } = record;
  const secondsOf = (file: string) => sound[file]?.seconds ?? record.seconds[file] ?? USUAL_SECONDS;
  let [seconds, numFiles] = [0, 0];
  const settle = (outcome: Planted["outcome"], by: string, how: string) =>
    Object.assign(planted, { outcome, by, how, numFiles, seconds: Math.round(seconds) });
  for (const file of nearestTests(planted.path, importers, secondsOf)) {
    if (sound[file]?.passes === false) continue;
    if (seconds >= mostSeconds) break;
    const limits: WatchLimits = {
      processorSeconds: 20 + 5 * secondsOf(file),
      idleSeconds: 60,
    };
    const run = await runFile(file, copy, seed, limits);
    seconds += run.processorSeconds;
    numFiles++;
    if (run.failed === 0) {
      record.seconds[file] = run.processorSeconds;
      continue;
    }
    if (sound[file] === undefined) {
      const again = await withoutFault(() => runFile(file, copy, seed, limits));
      sound[file] = { passes: again.failed === 0, seconds: again.processorSeconds };
      if (again.failed > 0) continue;
    }
    const [outcome, how] = outcomeOf(run.end);
    return void settle(outcome, file, how);
  }
  if (fuzzMinutes > 0) {
    const args = ["run", "-q", "-A", "--lock=deno.dev.lock", "--frozen", "--no-check"];
    const fuzz = ["scripts/fuzz.ts", "--minutes", String(fuzzMinutes), "--seed", String(seed)];
    const limits = { processorSeconds: 600 * fuzzMinutes, idleSeconds: 300 };
    const { end } = await runWatched([...args, ...fuzz], limits, { cwd: copy.root });
    const [outcome, how] = outcomeOf(end);
    if (end !== 0) return void settle(outcome, "the fuzzer", how);
  }
  settle("survived", `${numFiles} files of tests`, "passed");
}

/** Returns the outcome of tests that did not pass. On a busy machine, they may time out without a fault. */
function outcomeOf(end: Watched["end"]): ["seen" | "timed out", string] {
  if (typeof end === "number") return ["seen", "failed"];
  return [end.startsWith("SIG") ? "seen" : "timed out", end];
}

async function runFile(
  file: string,
  copy: Copy,
  seed: number,
  limits: WatchLimits,
): Promise<Watched & { failed: number }> {
  const env = { ...driverVariables(), NO_COLOR: "1", SLUICE_FIRST_SEED: String(seed) };
  const watched = await runWatched([...TEST_ARGS, "--fail-fast", file], limits, {
    cwd: copy.root,
    env,
  });
  return { ...watched, failed: resultOf(file, watched.end, watched.output).failed };
}
