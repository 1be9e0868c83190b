/**
 * The run of a join with a folder for what exceeds its memory.
 *
 * @module
 */

import type { ResultLimits } from "../../../gpu/backend.ts";
import { TempFolder } from "../../../streams/formats/arrow/temp_folder.ts";
import type { Batch } from "../../batch/batch.ts";
import type { StageContext } from "../../engine/node.ts";
import { Spill } from "../../spill/spill.ts";

/** Yields the batches of a join. Its files are gone afterwards; an abort ends it without an error. */
export async function* withSpill(
  { memory, signal, temp, onSpill, backend }: StageContext,
  limits: ResultLimits,
  join: (spill: Spill) => Promise<AsyncIterable<Batch>> | AsyncIterable<Batch>,
): AsyncGenerator<Batch, void, void> {
  using folder = new TempFolder(temp, "cannot hold what exceeds the memory of a join");
  try {
    yield* await join(new Spill({ memory, limits, folder, signal }, backend.maxTableBytes));
  } catch (error) {
    // Nobody waits for a join that was given up.
    if (!signal.aborted || error !== signal.reason) throw error;
  } finally {
    onSpill?.(folder.bytesWritten);
  }
}
