/** `sluice rechunk run` in this process. */

import { assertEquals } from "@std/assert";
import { parseChunkLengths } from "../../cli/rechunk/chunk_lengths.ts";
import { partialOf, PartialStore } from "../../cli/rechunk/partial_store.ts";
import { RechunkPace } from "../../cli/rechunk/rechunk_progress.ts";
import { copiedArrays, runBytes, runStore } from "../../cli/rechunk/run_store.ts";
import { planStore } from "../../cli/rechunk/store_plan.ts";

/** Rechunks as the command does. */
export async function rechunked(
  input: string,
  output: string,
  to: string,
  maxMem: number,
): Promise<void> {
  const lengths = parseChunkLengths(to, "--to");
  const plan = await planStore({
    path: input,
    output: partialOf(output),
    to: lengths,
    limits: { maxMem },
  });
  const beginning = { words: {}, temp: undefined, resume: false, bound: [] };
  using store = PartialStore.begin(output, beginning);
  const copied = await copiedArrays(input, plan);
  const pace = new RechunkPace(runBytes(plan, copied));
  await runStore({ input, plan, store, maxMem }, copied, pace);
  assertEquals(pace.bytes, runBytes(plan, copied));
}
