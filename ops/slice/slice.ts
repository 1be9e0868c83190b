/**
 * Slices of rows: `slice`, `head` and `tail`, which are one kind of node.
 *
 * @module
 */

import type { Operator } from "../../streams/operator.ts";
import type { RowRange } from "../../streams/select_columns.ts";
import type { Batch } from "../batch/batch.ts";
import { type EngineOption, operatorOf } from "../engine/operator_of.ts";
import { isOf, type NodeKind, nodeOf, type StageContext, type Step } from "../engine/node.ts";
import {
  composeSlices,
  countsFromEnd,
  isEmptySlice,
  printSlice,
  resolveSlice,
  type RowSlice,
  rowSlice,
  sliceLength,
} from "./row_slice.ts";
import { SliceMachine } from "./slice_machine.ts";

/**
 * Takes rows by position with Python's rules: negative positions count from the end, positions out
 * of range are clamped, crossed ones give no row. The step is positive.
 *
 * Reading stops as soon as the stop is reached. A negative position keeps at most as many rows as
 * it counts, or none where the number of rows is known beforehand. RangeError for a position that
 * is not an integer and for a step below 1.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { fromBatches, slice, toTable } from "../../mod.ts";
 *
 * const letters = tableFromArrays({ letter: ["a", "b", "c", "d"] });
 * const last = await toTable(fromBatches(letters).pipeThrough(slice(-2)));
 * assertEquals(last.toArray().map((row) => row.letter), ["c", "d"]);
 * ```
 */
export function slice(
  start?: number | null,
  stop?: number | null,
  step?: number | null,
  options?: EngineOption,
): Operator {
  return operatorOf(nodeOf(sliceKind, rowSlice(start, stop, step)), options);
}

/**
 * Takes the first `numRows` rows and stops reading. RangeError unless it is an integer of at least
 * 0.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { fromBatches, head, toTable } from "../../mod.ts";
 *
 * const letters = tableFromArrays({ letter: ["a", "b", "c", "d"] });
 * const first = await toTable(fromBatches(letters).pipeThrough(head(2)));
 * assertEquals(first.toArray().map((row) => row.letter), ["a", "b"]);
 * ```
 */
export function head(numRows: number, options?: EngineOption): Operator {
  return operatorOf(nodeOf(sliceKind, rowSlice(0, rowCount(numRows), 1), "head"), options);
}

/**
 * Takes the last `numRows` rows. RangeError unless it is an integer of at least 0.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { fromBatches, tail, toTable } from "../../mod.ts";
 *
 * const letters = tableFromArrays({ letter: ["a", "b", "c", "d"] });
 * const last = await toTable(fromBatches(letters).pipeThrough(tail(2)));
 * assertEquals(last.toArray().map((row) => row.letter), ["c", "d"]);
 * ```
 */
export function tail(numRows: number, options?: EngineOption): Operator {
  const count = rowCount(numRows);
  // A start of -0 would mean the front: no rows is the slice 0:0.
  const slice = count === 0 ? rowSlice(0, 0, 1) : rowSlice(-count, undefined, 1);
  return operatorOf(nodeOf(sliceKind, slice, "tail"), options);
}

/** A checked number of rows: an integer of at least 0, else a RangeError. */
function rowCount(numRows: number): number {
  if (!Number.isSafeInteger(numRows) || numRows < 0) {
    throw new RangeError(`A number of rows is an integer of at least 0, not ${numRows}`);
  }
  return numRows;
}

const sliceKind: NodeKind<RowSlice> = {
  name: "slice",
  rows: "fewer",
  boundaries: "ignored",
  summary: printSlice,
  needs: (_, wanted) => wanted,
  numRows: sliceLength,
  bind: (slice, schema) => ({
    schema,
    run: (input, context) => sliceRows(slice, input, context),
  }),
  rewrites: {
    pairs: [
      { name: "slice after slice is one slice", rewrite: mergeSlices },
      { name: "a slice passes what keeps its rows", rewrite: liftSlice },
    ],
    wantsNumRows: ({ spec }) => countsFromEnd(spec),
    onNumRows: ({ spec, name }, numRows) => nodeOf(sliceKind, resolveSlice(spec, numRows), name),
    intoSource({ spec: { start, stop, step }, name }) {
      if (start < 0 || (stop !== undefined && stop < 0)) return undefined;
      const range = stop === undefined ? { start } : { start, stop: Math.max(start, stop) };
      if (step === 1) return { range };
      return { range, rest: nodeOf(sliceKind, { start: 0, stop: undefined, step }, name) };
    },
  },
};

function mergeSlices(first: Step, second: Step<RowSlice>): Step[] | undefined {
  if (!isOf(first.node, sliceKind)) return undefined;
  const slice = composeSlices(first.node.spec, second.node.spec);
  return slice && [{ ...second, node: nodeOf(sliceKind, slice), step: first.step }];
}

function liftSlice(first: Step, second: Step<RowSlice>): Step[] | undefined {
  return first.node.kind.rows === "same" ? [second, first] : undefined;
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
