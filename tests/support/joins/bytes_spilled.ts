import type { RunStats } from "../../../mod.ts";

/** Bytes that all steps of runs have written to temporary files so far. */
export function bytesSpilled(runs: readonly RunStats[]): number {
  return runs.flatMap(({ operators }) => operators)
    .reduce((sum, { bytesSpilled }) => sum + bytesSpilled, 0);
}
