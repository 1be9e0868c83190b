/**
 * Runs a plan over an array whose items have a variable size: pass by pass, through the intermediate
 * stores of the plan.
 *
 * @module
 */

import { Journal, storePath } from "../store/journal.ts";
import { VariableStore } from "../store/variable_store.ts";
import type { RechunkPlan } from "../plan/rechunk_plan.ts";
import { sampleSizes } from "../plan/sample_sizes.ts";
import { moveVariable, type VariableMove } from "./move_variable.ts";
import { checkSameItems, folderOf, runPasses } from "./run_passes.ts";

/** A run over arrays whose items have a variable size, its plan and its folder. */
export interface VariableRun extends VariableMove {
  readonly plan: RechunkPlan;
  /**
   * The folder for intermediate stores and the journal, for this run alone. The run creates it and
   * removes it at the end, but keeps it after a failure. A plan without intermediate stores needs none.
   */
  readonly temp?: string;
  /** Whether completed work must survive a crash of the machine. */
  readonly isDurable?: boolean;
  /** Called with the number of bytes that a pass has written to a store. */
  readonly onStored?: (numBytes: number) => void;
}

/**
 * Moves the items of an array to the chunks of another as `moveVariable` does, with each pass from one
 * store to the next. With `resume`, complete passes do not run again, and chunks that an earlier run
 * wrote are not written again.
 */
export async function runVariable(run: VariableRun): Promise<void> {
  const { source, target, plan, resume = false, isDurable = false } = run;
  const { onProgress, writesMissing = false } = run;
  if (plan.stages.length === 0) {
    await moveVariable(run);
    if (isDurable) await target.sync?.();
    return;
  }
  checkSameItems(source, target);
  const temp = folderOf(run);
  const stores = plan.stages.map(({ intermediate: chunk }, pass) =>
    new VariableStore(storePath(temp, pass), source, {
      grid: { shape: source.grid.shape, chunk },
      isDurable,
    })
  );
  const numPasses = stores.length + 1;
  await runPasses({
    ...{ target, stores, resume, isDurable },
    journal: new Journal({ source, target, plan, temp, resume, isDurable }),
    runPass: async (pass, { mayHaveChunks }) => {
      const store = stores[pass - 1];
      const input = store === undefined
        ? {}
        : { source: store, sizes: await sampleSizes(store, run.maxMem) };
      await moveVariable({
        ...{ ...run, ...input },
        target: stores[pass] ?? target,
        resume: mayHaveChunks,
        writesMissing: writesMissing && pass === stores.length,
        onProgress: (share) => onProgress?.((pass + share) / numPasses),
      });
      const written = stores[pass]?.bytesWritten;
      if (written !== undefined) run.onStored?.(written);
    },
  });
}
