/** @module */

import type { RowRange } from "../../streams/row_range.ts";
import type { Batch } from "../batch/batch.ts";
import type { OperatorNode, Stage, StageContext } from "../engine/node.ts";
import { isEmptySlice, printSlice, type RowSlice } from "./row_slice.ts";
import { SliceMachine } from "./slice_machine.ts";

/** The node of a slice; the rules of the engine move and merge it by its `slice`. */
export interface SliceNode extends OperatorNode {
  readonly slice: RowSlice;
}

/** The node that `slice`, `head` and `tail` make; `name` is what the user called. */
export function sliceNode(slice: RowSlice, name = "slice"): SliceNode {
  return Object.freeze<SliceNode>({
    name,
    rows: "fewer",
    slice,
    summary: printSlice(slice),
    needs: (wanted) => wanted,
    bind: (schema): Stage => ({
      schema,
      explain: () => [],
      run: (input, context) => sliceRows(slice, input, context),
    }),
  });
}

/** Whether a node is a slice. */
export function isSlice(node: OperatorNode): node is SliceNode {
  return "slice" in node;
}

/** A batch that may still be needed, and the position of its first row. */
interface Held {
  readonly batch: Batch;
  readonly start: number;
}

async function* sliceRows(
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
      if (step.done) return;
      // What outlives its own turn would take the device's memory from what comes next.
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
    if (first >= stop) continue;
    if (step === 1 && first === 0 && stop === batch.numRows) {
      yield batch.share();
      continue;
    }
    await batch.toHost(backend);
    if (step === 1) yield batch.slice(first, stop);
    else {
      const selection = everyStep(first, stop, origin - start, step);
      if (selection.length > 0) yield batch.gather(selection);
    }
  }
}

/** Rows of a batch in [first, stop) that lie a multiple of `step` behind `origin`. */
function everyStep(first: number, stop: number, origin: number, step: number): Int32Array {
  const offset = first - origin;
  const start = first + (step - offset % step) % step;
  return Int32Array.from(
    { length: Math.max(0, Math.ceil((stop - start) / step)) },
    (_, index) => start + index * step,
  );
}

function forget(held: readonly Held[], keepFrom: number): Held[] {
  return held.filter(({ batch, start }) => {
    const needed = start + batch.numRows > keepFrom;
    if (!needed) batch.release();
    return needed;
  });
}
