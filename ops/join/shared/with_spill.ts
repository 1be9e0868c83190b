/**
 * Runs a join with a folder for the rows that exceed its memory.
 *
 * @module
 */

import type { ResultLimits } from "../../../gpu/backend.ts";
import { TempFolder } from "../../../streams/formats/arrow/temp_folder.ts";
import type { Batch } from "../../batch/batch.ts";
import type { StageContext } from "../../engine/node.ts";
import { Spill } from "../../spill/spill.ts";

/** Yields the batches of a join, and removes its files at the end. An abort ends it without an error. */
export async function* withSpill(
  { memory, signal, temp, onSpill, backend }: StageContext,
  limits: ResultLimits,
  join: (spill: Spill) => Promise<AsyncIterable<Batch>> | AsyncIterable<Batch>,
): AsyncGenerator<Batch, void, void> {
  using folder = new TempFolder(temp, "cannot hold what exceeds the memory of a join");
  try {
    yield* await join(new Spill({ memory, limits, folder, signal }, backend.maxTableBytes));
  } catch (error) {
    // An aborted join has no consumer for its error.
    if (!signal.aborted || error !== signal.reason) throw error;
  } finally {
    onSpill?.(folder.bytesWritten);
  }
}
