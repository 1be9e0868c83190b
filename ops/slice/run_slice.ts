/**
 * The rows of a slice with a positive step, of a stream of unknown length.
 *
 * @module
 */

import { isEmptySlice, type RowSlice } from "../../streams/rows/row_slice.ts";
import type { RowRange } from "../../streams/select_columns.ts";
import type { Batch } from "../batch/batch.ts";
import type { StageContext } from "../engine/node.ts";
import { SliceMachine } from "./slice_machine.ts";

/** A batch that may still be needed, and the position of its first row. */
interface Held {
  readonly batch: Batch;
  readonly start: number;
}

/** Takes over the batches of the input, and ends it as soon as the last row is certain. */
export async function* sliceRows(
  slice: RowSlice,
  input: AsyncIterable<Batch>,
  context: StageContext,
): AsyncGenerator<Batch, void, void> {
  const machine = new SliceMachine(slice);
  let held: Held[] = [];
  let seen = 0;
  try {
    if (isEmptySlice(slice)) return;
    for await (const batch of input) {
      held.push({ batch, start: seen });
      seen += batch.numRows;
      const step = machine.push(batch.numRows);
      yield* rowsOf(held, step.give, machine.origin, slice.step, context);
      held = forget(held, step.keepFrom);
      context.onHold?.(held.reduce((sum, { batch }) => sum + batch.numBytes, 0));
      if (step.done) return;
      // Batches that are held would take the device's memory from those that come next.
      for (const { batch } of held.slice(0, -1)) await batch.toHost(context.backend);
    }
    yield* rowsOf(held, machine.end(), machine.origin, slice.step, context);
  } finally {
    for (const { batch } of held) batch.release();
  }
}

async function* rowsOf(
  held: readonly Held[],
  range: RowRange,
  origin: number,
  step: number,
  { backend }: StageContext,
): AsyncGenerator<Batch, void, void> {
  for (const { batch, start } of held) {
    const first = Math.max(range.start - start, 0);
    const stop = Math.min(range.stop - start, batch.numRows);
    // Rows lie a multiple of the step behind the first row of the slice.
    const behind = (first + start - origin) % step;
    const from = first + (behind === 0 ? 0 : step - behind);
    if (from >= stop) continue;
    const count = Math.ceil((stop - from) / step);
    yield await batch.rows(backend, [{ start: from, step, count }]);
  }
}

function forget(held: readonly Held[], keepFrom: number): Held[] {
  return held.filter(({ batch, start }) => {
    const needed = start + batch.numRows > keepFrom;
    if (!needed) batch.release();
    return needed;
  });
}
