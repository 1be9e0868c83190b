/**
 * Runs a plan over an array of text: pass by pass, with the stores in between that it has.
 *
 * @module
 */

import type { TextWriter } from "../../../streams/formats/zarr/items/text_array.ts";
import { Journal, storePath } from "../store/journal.ts";
import type { RechunkPlan } from "../plan/rechunk_plan.ts";
import { runTextRechunk, type TextRechunkRun } from "./run_text_rechunk.ts";
import { sampleSizes } from "./sample_sizes.ts";
import { TextStore } from "../store/text_store.ts";

/** What is rechunked, by which plan, and where its stores lie. */
export interface TextPlanRun extends TextRechunkRun {
  readonly plan: RechunkPlan;
  /**
   * The folder for intermediate stores and the journal, for this run alone. It is created, gone at the
   * end, and stays when the run fails. A plan without stages needs none.
   */
  readonly temp?: string;
  /** As for `runRechunk`. */
  readonly isDurable?: boolean;
  /** Called with the bytes that were written to a store in between. */
  readonly onStored?: (numBytes: number) => void;
}

/**
 * Moves the items of an array to the chunks of another as `runTextRechunk` does, each pass from store
 * to store. With `resume`, passes that were complete are not run again, nor are chunks written again.
 */
export async function runTextPlan(run: TextPlanRun): Promise<void> {
  const { source, target, plan, temp, resume = false, isDurable = false } = run;
  if (plan.stages.length === 0) {
    await runTextRechunk(run);
    if (isDurable) await target.sync?.();
    return;
  }
  if (temp === undefined) throw new RangeError("A plan with stages needs a folder for them");
  const stores = plan.stages.map(({ intermediate: chunk }, pass) =>
    new TextStore(storePath(temp, pass), source, { shape: source.grid.shape, chunk })
  );
  const journal = new Journal({ source, target, plan, temp, resume, isDurable });
  for (const store of stores.slice(0, Math.max(0, journal.passesDone - 1))) store.remove();
  // Its metadata may have been written once more.
  if (isDurable && journal.passesDone > stores.length) await target.sync?.();
  for (const [pass, output] of [...stores, target].entries()) {
    if (pass < journal.passesDone) continue;
    const store = stores[pass];
    store?.create();
    await runPass(run, {
      pass,
      input: stores[pass - 1],
      output,
      mayHaveChunks: store === undefined ? resume : journal.isResumed,
    });
    if (store !== undefined) run.onStored?.(store.bytesWritten);
    if (isDurable) await output.sync?.();
    journal.passDone();
    stores[pass - 1]?.remove();
  }
  stores.at(-1)?.remove();
  journal.remove();
}

/** One pass; `input` is the store that it reads, if it is not the source. */
async function runPass(
  run: TextPlanRun,
  { pass, input, output, mayHaveChunks }: {
    readonly pass: number;
    readonly input: TextStore | undefined;
    readonly output: TextWriter;
    readonly mayHaveChunks: boolean;
  },
): Promise<void> {
  const { plan, onProgress, writesMissing = false } = run;
  const isLast = pass === plan.stages.length;
  const numPasses = plan.stages.length + 1;
  await runTextRechunk({
    ...run,
    ...(input === undefined ? {} : { source: input, sizes: await sampleSizes(input, run.maxMem) }),
    target: output,
    resume: mayHaveChunks,
    writesMissing: writesMissing && isLast,
    onProgress: (share) => onProgress?.((pass + share) / numPasses),
  });
}
