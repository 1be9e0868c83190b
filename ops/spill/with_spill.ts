/**
 * Runs an operator with a folder for the rows that exceed its memory.
 *
 * @module
 */

import type { ResultLimits } from "../../gpu/backend.ts";
import { TempFolder } from "../../streams/formats/arrow/temp_folder.ts";
import type { Batch } from "../batch/batch.ts";
import type { StageContext } from "../engine/node.ts";
import { Spill } from "./spill.ts";

/**
 * Yields the batches of an operator, which is named as `of`, and removes its files at the end. An abort ends
 * it without an error.
 */
export async function* withSpill(
  { memory, signal, temp, onSpill, backend }: StageContext,
  limits: ResultLimits,
  run: (spill: Spill) => Promise<AsyncIterable<Batch>> | AsyncIterable<Batch>,
  of = "a join",
): AsyncGenerator<Batch, void, void> {
  using folder = new TempFolder(temp, `cannot hold what exceeds the memory of ${of}`);
  try {
    yield* await run(new Spill({ memory, limits, folder, signal }, backend.maxTableBytes));
  } catch (error) {
    // An aborted operator has no consumer for its error.
    if (!signal.aborted || error !== signal.reason) throw error;
  } finally {
    onSpill?.(folder.bytesWritten);
  }
}
