/** `sluice rechunk run` in this process. */

import { assertEquals } from "@std/assert";
import { parseChunkLengths } from "../../../cli/words/chunk_lengths.ts";
import { builtAt, PartialStore } from "../../../cli/rechunk/partial_store.ts";
import { RechunkPace } from "../../../cli/rechunk/rechunk_progress.ts";
import { copiedArrays, runBytes, runStore } from "../../../cli/rechunk/run_store.ts";
import { planStore } from "../../../cli/rechunk/store_plan.ts";
import { OutputFolder } from "../../../streams/sink/output_folder.ts";

/** Options of the command. */
interface RunOptions {
  readonly temp?: string;
  readonly resume?: boolean;
  readonly stages?: number;
}

/** Rechunks as the command does. Returns the remains of earlier runs. */
export async function rechunked(
  input: string,
  output: string,
  to: string,
  maxMem: number,
  { temp, resume = false, stages }: RunOptions = {},
): Promise<readonly string[]> {
  const words = { IN: input };
  if (PartialStore.sweep(output, { words, resume }) && resume) return ["complete"];
  await OutputFolder.check(output);
  const lengths = parseChunkLengths(to, "--to");
  const plan = await planStore({
    path: input,
    output: builtAt(output),
    to: lengths,
    limits: { maxMem, ...(stages === undefined ? {} : { stages }) },
  });
  using store = PartialStore.begin(output, { words, temp, resume, bound: [] });
  const copied = await copiedArrays(input, plan);
  const pace = new RechunkPace(runBytes(plan, copied));
  await runStore({ input, plan, store, maxMem }, copied, pace);
  assertEquals(pace.bytes, runBytes(plan, copied));
  return store.findings;
}
